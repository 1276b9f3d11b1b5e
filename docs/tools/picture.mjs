// Takes a picture of a page with Chromium: `picture.mjs ADDRESS FILE WIDTH HEIGHT [light|dark [STEP]]`. Needs playwright-core.
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const [address, path, width, height, colorScheme = 'light', step] = process.argv.slice(2);
const names = ['chromium', 'chromium-browser', 'google-chrome'];
const executablePath = names.map(name => { try { return execFileSync('which', [name]).toString().trim(); } catch { return ''; } }).find(Boolean);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--hide-scrollbars'] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme });
await page.goto(step ? `${address}#${step}` : address);
// The stream, the land and the report come after the page.
await page.waitForLoadState('networkidle').catch(() => {});
await page.waitForTimeout(2000);
await page.screenshot({ path, fullPage: height === '0' });
await browser.close();
