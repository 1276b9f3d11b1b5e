// Opens the pages of the program in Chromium as people do: `browse.mjs PROGRAM CHROMIUM MARKUP`. The working directory has
// the store `store` with the runs 1 (a hostile law), 2 (a household) and 3 (10,000 steps), the store `learned`, the batch
// `hostile-results` and the reports `*.html`. MARKUP is the text of the hostile names.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [program, name, markup] = process.argv.slice(2);
const executablePath = execFileSync('which', [name]).toString().trim();
const MB = 1 << 20;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const children = [];

/** Starts `ltlcrit watch` and returns the address that it prints. */
async function watch(...of) {
  const child = spawn(program, ['watch', ...of], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line.trim();
  throw new Error(`watch ${of} printed no address`);
}

/** Opens an address and collects what it must not do: messages on the console, errors, dialogs, requests elsewhere. */
async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  // The streams of a page, to see them closed.
  await context.addInitScript(() => {
    const Source = EventSource;
    window.streams = [];
    window.EventSource = class extends Source { constructor(url) { super(url); window.streams.push(this); } };
  });
  const page = await context.newPage(), faults = [];
  page.on('console', message => faults.push(`console: ${message.text()}`));
  page.on('pageerror', error => faults.push(`error: ${error.message}`));
  page.on('dialog', dialog => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const own = address.startsWith('file:') ? address : new URL(address).origin + '/';
  page.on('request', request => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) faults.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, faults, close: async () => { assert.deepEqual(faults, [], address); await context.close(); } };
}

const ended = page => page.getByText('ended: ').waitFor({ timeout: 120_000 });
const shows = (page, step) => page.waitForFunction(step => document.getElementById('action').textContent.startsWith(`Step ${step} `), step);
/** The page is not wider than the screen. */
const fits = async page => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
const heap = async page => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  return usedSize + backingStorageSize;
};

const tests = {
  async 'the checks find a bad page'() {
    const { page, faults } = await open('about:blank');
    await page.setContent('<script>console.error("wrong"); alert(1)</script><img src="http://127.0.0.1:9/asked">');
    for (const fault of ['console: wrong', 'dialog: 1', 'request: http://127.0.0.1:9/asked']) {
      assert.ok(faults.includes(fault), `${fault} in ${faults}`);
    }
    await page.context().close();
  },

  async 'a page follows a run to the diamond, and its stream ends with the run'() {
    const { page, close } = await open(`${await watch()}run/4/`);
    await page.getByText('waiting for the run to begin').waitFor();
    children.push(spawn(program, ['run', '-q'], { stdio: 'ignore' }));
    await ended(page);
    assert.equal(await page.locator('#state').textContent(), 'ended: goal reached');
    const last = Number(await page.locator('#slider').getAttribute('max'));
    await page.waitForFunction(() => document.querySelectorAll('#subgoals .reached').length === 4);
    assert.equal(await page.locator('#slider').inputValue(), String(last));
    assert.ok(await page.evaluate(() => window.streams.length === 1 && window.streams[0].readyState === EventSource.CLOSED));
    for (const [key, step] of [['Home', 0], ['ArrowRight', 1], ['Shift+ArrowRight', 11], ['ArrowLeft', 10], ['End', last]]) {
      await page.keyboard.press(key);
      await shows(page, step);
    }
    await page.keyboard.press('Home');
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.getElementById('follow').getAttribute('aria-pressed') === 'true');
    await shows(page, last);
    await close();
  },

  async 'pages fit a phone and a desk, in light and in dark'() {
    const address = await watch();
    for (const width of [400, 1400]) {
      for (const colorScheme of ['light', 'dark']) {
        for (const [of, ready] of [['run/4/', '#inventory .chip'], ['run/2/', '#scene .box'], ['', '#runs tr']]) {
          const { page, close } = await open(address + of, { viewport: { width, height: 800 }, colorScheme });
          await page.locator(ready).first().waitFor();
          await fits(page);
          const light = await page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
          assert.equal(light < 128, colorScheme === 'dark', `${light} in ${colorScheme}`);
          await close();
        }
      }
    }
  },

  async 'hostile names stay text'() {
    const { page, close } = await open(`${await watch()}run/1/`);
    await ended(page);
    await page.getByText(markup, { exact: false }).first().waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('script').count(), 1);
    await close();
  },

  async 'a household is boxes in boxes, and the robot moves'() {
    const { page, close } = await open(`${await watch()}run/2/`);
    await ended(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('#scene .robot.moved').waitFor();
    assert.ok(await page.locator('#scene > .box').count() > 1);
    assert.equal(await page.locator('#plan').textContent(), 'Plan');
    await close();
  },

  async 'the graph of a learning leads to steps of runs'() {
    const { page, close } = await open(await watch('all', '--store', 'learned'));
    const report = page.frameLocator('#report iframe');
    const drawn = report.locator('.graph a');
    await drawn.first().waitFor();
    assert.ok(await drawn.count() > 20);
    // A click on a choice shows its row, and the step in it is a link to the page of the run.
    await drawn.last().click();
    const cited = report.locator('.steps tr:target a').first();
    await cited.waitFor();
    const [, run, step] = (await cited.getAttribute('href')).match(/run\/(\d+)\/#(\d+)$/);
    await cited.click();
    await page.waitForURL(`**/run/${run}/#${step}`);
    await page.locator('#action').getByText(`Step ${step} `).waitFor();
    await close();
  },

  async 'the cells of a batch lead to their logs'() {
    const { page, close } = await open(await watch('hostile-results'));
    const cell = page.frameLocator('#report iframe').locator('.squares .cell a').first();
    await cell.waitFor();
    await fits(page);
    assert.match(await cell.getAttribute('aria-label'), /^seed \d+: goal not reached, 12 steps$/);
    await cell.click();
    await page.waitForURL('**/run/*/');
    await ended(page);
    await close();
  },

  async 'reports in files ask for nothing'() {
    const reports = readdirSync('.').filter(name => name.endsWith('.html'));
    assert.ok(reports.length >= 4, reports);
    for (const name of reports) {
      for (const width of [400, 1400]) {
        const { page, close } = await open(pathToFileURL(resolve(name)).href, { viewport: { width, height: 800 } });
        await page.locator('h2', { hasText: 'Manifest' }).waitFor();
        assert.equal(await page.locator('img').count(), 0);
        await fits(page);
        await close();
      }
    }
  },

  async 'a page of 10,000 steps keeps its memory'() {
    const address = await watch();
    const { page: short, close } = await open(`${address}run/4/`);
    await ended(short);
    const before = await heap(short);
    await close();
    const { page, close: closeLong } = await open(`${address}run/3/`);
    await ended(page);
    await shows(page, 10_000);
    for (const key of ['Home', 'End', 'Home', 'Shift+ArrowRight']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(50);
    }
    const grown = (await heap(page) - before) / MB;
    console.log(`  memory of the page: ${(before / MB).toFixed(1)} MB at 38 steps, ${grown.toFixed(1)} MB more at 10,000`);
    assert.ok(grown < 100);
    assert.ok(await page.locator('.row').count() < 40);
    await closeLong();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const began = Date.now();
  try {
    await test();
    console.log(`ok: ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
  for (const child of children.splice(0)) child.kill('SIGINT');
}
await browser.close();
process.exitCode = failed ? 1 : 0;
