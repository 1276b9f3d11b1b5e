// The page of a run and of the list of runs. All text from elsewhere is set as text, never as markup.
'use strict';
(() => {
  const base = document.body.dataset.base;
  const $ = id => document.getElementById(id);
  const el = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children.filter(child => child !== null && child !== undefined).map(child =>
      child instanceof Node ? child : String(child)));
    return node;
  };
  const number = value => Number(value).toLocaleString('en');
  const plain = name => String(name).replace(/^(action|obs)_/, '').replaceAll('_', ' ');
  const state = (kind, text) => Object.assign($('state'), { className: kind, textContent: text });
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name);

  const reports = document.body.dataset.report === 'true';
  let busy = false, stale = false;
  const place = location.pathname.match(/\/run\/(\d+)\/$/);
  if (!place) return list();

  // ---- the list of runs, below a report of them all

  function list() {
    document.title = 'runs · ltlcrit';
    $('title').textContent = 'Runs';
    $('list').hidden = false;
    state('waiting', 'connecting');
    const source = new EventSource(base + 'runs');
    source.onerror = () => state('lost', 'no connection');
    source.addEventListener('runs', event => {
      const { store, live, trouble, total, runs } = JSON.parse(event.data);
      if (reports) report();
      else if (total === 1 && !$('runs').hasChildNodes()) location.replace(`${base}run/${runs[0].run}/`);
      if (trouble) { source.close(); state('lost', trouble); } else state(live ? 'live' : 'ended', live ? 'in use' : 'not in use');
      $('store').textContent = store;
      $('runs').replaceChildren(...runs.map(run => {
        const link = el('a', '', run.run);
        link.href = `${base}run/${run.run}/`;
        const end = run.end ? run.end.text : live ? 'no end yet' : 'cut short';
        const cells = [link, run.task, run.actor, run.model, run.world, run.seed, number(run.steps),
          el('span', run.end?.kind === 'goal' ? 'good' : run.end ? 'bad' : 'quiet', end)];
        return el('tr', '', ...cells.map((cell, i) => el('td', i === 5 || i === 6 ? 'number' : '', cell)));
      }));
      $('more').textContent = total > runs.length ? `The newest ${runs.length} of ${number(total)} runs.`
        : total === 0 ? 'No run has begun yet.' : '';
    });
  }

  /** Loads the report into a new frame, which replaces the old one when it is there; a change meanwhile loads it again. */
  function report() {
    [stale, busy] = [busy, true];
    if (stale) return;
    const [old, began] = [$('report').lastChild, Date.now()];
    const frame = Object.assign(el('iframe', old ? 'waiting' : ''), { title: 'report', src: `${base}report?${began}` });
    frame.setAttribute('sandbox', 'allow-same-origin allow-top-navigation-by-user-activation');
    frame.onload = () => {
      const page = frame.contentDocument, root = page.documentElement;
      // Cited steps and cells lead to the pages of their runs.
      for (const it of page.querySelectorAll('[data-run]')) {
        const { run, step } = it.dataset, href = `${base}run/${run}/${step ? '#' + step : ''}`;
        const link = Object.assign(page.createElement('a'), { href, target: '_top', ariaLabel: it.title || `run ${run}, step ${step}` });
        link.append(...it.childNodes);
        it.append(link);
      }
      // What a reader has opened and scrolled stays so.
      const parts = of => [...of.contentDocument.querySelectorAll('.scroll, details')];
      if (old) {
        const now = parts(frame);
        parts(old).forEach(({ open, scrollLeft, scrollTop }, i) => { if (now[i]) Object.assign(now[i], { open, scrollLeft, scrollTop }); });
      }
      const fit = () => { frame.style.height = `${root.offsetHeight + 8}px`; };
      old?.remove();
      frame.className = '';
      new ResizeObserver(fit).observe(root);
      setTimeout(() => { busy = false; if (stale) report(); }, Math.max(1000, 4 * (Date.now() - began)));
    };
    $('report').append(frame);
  }

  // ---- the steps of a run: numbers in columns, and the text of each step up to a limit

  /** The memory for texts of steps, in characters; older steps are asked for again. */
  const TEXTS = 24e6;
  /** Bits of a step's status. */
  const FAILED = 1, BLOCKED = 2, VIOLATED = 4, UNREADABLE = 8, CONFLICT = 16;
  const NOWHERE = -0x80000000, NOTHING = 0xffff;
  const column = { x: [], y: [], z: [], action: [], blocks: [], status: [], prompt: [], completion: [], cached: [], ticks: [] };
  /** The steps at which each law blocked a proposal or was violated, and the laws in force from a step on. */
  const hits = new Map(), broken = new Map(), revisions = [];
  const texts = [], area = { x: [Infinity, -Infinity], y: [Infinity, -Infinity], z: [Infinity, -Infinity] };
  let size = 0, oldest = 0, count = 0, shown = 0, follow = true, hasWay = false, meta = null, over = false, flight = null;
  /** The step that the address names, until it is there. */
  let wanted = null;
  /** The step at which each subgoal was reached. */
  let reached = [];

  function hit(map, law, n) {
    if (!map.has(law)) map.set(law, []);
    map.get(law).push(n);
  }
  /** Returns the number of entries of a sorted list up to a step. */
  function until(list, n) {
    let [low, high] = [0, list ? list.length : 0];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= n) low = middle + 1; else high = middle;
    }
    return low;
  }

  function add(text) {
    const step = JSON.parse(text), n = step.n;
    if (n > count) return;
    // The last step is sent again after a reconnection, and replaced when a run is resumed.
    for (const map of [hits, broken]) for (const list of map.values()) while (list.at(-1) >= n) list.pop();
    while (revisions.length > 1 && revisions.at(-1).from >= n) revisions.pop();
    reached = reached.map(at => (at >= n ? undefined : at));
    size += text.length - (texts[n]?.length ?? 0);
    texts[n] = text;
    for (; size > TEXTS && oldest < n; oldest++) { size -= texts[oldest]?.length ?? 0; texts[oldest] = undefined; }
    let blocks = 0;
    let status = (step.failure && FAILED) | (step.violations.length && VIOLATED) | (step.force.kind !== 'all' && CONFLICT);
    const before = name => (n ? column[name][n - 1] : 0);
    for (const name of ['prompt', 'completion', 'cached']) {
      const used = step.proposals.flatMap(({ usage, worded }) => [usage[name], worded?.usage[name] ?? 0]);
      column[name][n] = used.reduce((sum, tokens) => sum + tokens, before(name));
    }
    for (const { ruling } of step.proposals) {
      if (ruling.kind === 'blocked' || (ruling.kind === 'unshielded' && ruling.laws.length)) {
        blocks++;
        for (const law of ruling.laws) hit(hits, law, n);
      }
      if (ruling.kind === 'unreadable' || ruling.kind === 'undecided') status |= UNREADABLE;
    }
    for (const law of step.violations) hit(broken, law, n);
    if (step.laws) revisions.push({ from: n, laws: step.laws });
    const details = step.details ?? {}, at = details.position;
    for (const axis of ['x', 'y', 'z']) {
      column[axis][n] = at ? at[axis] : NOWHERE;
      if (at) area[axis] = [Math.min(area[axis][0], at[axis]), Math.max(area[axis][1], at[axis])];
    }
    hasWay ||= Boolean(at);
    column.ticks[n] = details.tick ?? before('ticks') + (step.ticks ?? 0);
    [column.action[n], column.blocks[n]] = [step.action ?? NOTHING, blocks];
    column.status[n] = status | (blocks && BLOCKED);
    const holds = new Set(step.holds);
    meta.subgoals.forEach((goal, i) => { if (goal.holds.every(id => holds.has(id))) reached[i] ??= n; });
    count = Math.max(count, n + 1);
    flight = null;
  }

  const cache = new Map();
  /** Returns a step; null while it is asked for again. */
  function stepAt(n) {
    if (n < 0 || n >= count) return null;
    const text = texts[n] ?? cache.get(n);
    if (text !== undefined) return text && JSON.parse(text);
    cache.set(n, null);
    if (cache.size > 20) cache.delete(cache.keys().next().value);
    fetch(`${base}run/${meta.run}/step/${n}`).then(answer => answer.text())
      .then(found => { cache.set(n, found); change(); }).catch(() => cache.delete(n));
    return null;
  }

  // ---- the stream

  document.title = `run ${place[1]} · ltlcrit`;
  $('title').textContent = `Run ${place[1]}`;
  state('waiting', 'waiting for the run to begin');
  const source = new EventSource(`${base}run/${place[1]}/events`);
  const on = (kind, handle) => source.addEventListener(kind, event => { handle(event.data); change(); });
  source.onerror = () => { if (!over) state('lost', 'no connection: trying again'); };
  on('run', data => {
    state('live', 'live');
    if (meta) return;
    meta = JSON.parse(data);
    revisions.push({ from: 0, laws: meta.laws });
    const world = meta.seed === null ? meta.world : `${meta.world}, seed ${meta.seed}`;
    $('about').textContent = [meta.task, meta.actor, meta.model, world].join(' · ');
    $('note').textContent = (meta.shielded ? '' : 'This run has no shield: laws are watched and block nothing. ')
      + (meta.simulated ? 'The model is simulated: it tests the machinery and is no evidence about language models.' : '');
    $('run').hidden = false;
  });
  on('steps', data => {
    state('live', 'live');
    data.split('\n').forEach(add);
    if (wanted !== null && wanted < count) [shown, wanted] = [wanted, null];
    else if (follow) shown = count - 1;
  });
  on('flight', data => { flight = JSON.parse(data); });
  const finish = (kind, text) => {
    [over, flight] = [true, null];
    source.close();
    state(kind, text);
  };
  on('end', data => finish('ended', 'ended: ' + JSON.parse(data).end.text));
  on('gone', data => finish('lost', JSON.parse(data).text));
  on('trouble', data => finish('lost', JSON.parse(data).text));

  // ---- moving through the steps

  function go(n, follows) {
    follow = follows;
    shown = Math.max(0, Math.min(count - 1, follows ? count - 1 : n));
    change();
  }
  const seek = () => {
    const n = location.hash.match(/^#(\d+)$/)?.[1];
    if (n === undefined) return;
    [wanted, follow] = [Number(n), false];
    if (wanted < count) { go(wanted, false); wanted = null; }
  };
  addEventListener('hashchange', seek);
  seek();
  const moves = {
    ArrowLeft: event => go(shown - (event.shiftKey ? 10 : 1), false),
    ArrowRight: event => go(shown + (event.shiftKey ? 10 : 1), false),
    Home: () => go(0, false),
    End: () => go(count - 1, false),
    f: () => go(shown, !follow),
    '+': () => magnify(zoom * 1.5),
    '-': () => magnify(zoom / 1.5),
    0: () => magnify(1),
  };
  addEventListener('keydown', event => {
    if (!moves[event.key] || event.ctrlKey || event.altKey || event.metaKey || !count) return;
    event.preventDefault();
    moves[event.key](event);
  });
  const buttons = { first: 'Home', back: 'ArrowLeft', forward: 'ArrowRight', last: 'End', follow: 'f' };
  for (const id in buttons) $(id).onclick = moves[buttons[id]];
  $('slider').oninput = () => go(Number($('slider').value), false);
  const pick = event => {
    const box = $('side').getBoundingClientRect();
    go(Math.round(((event.clientX - box.left - PAD) / Math.max(1, box.width - 2 * PAD)) * (count - 1)), false);
  };
  $('side').onpointerdown = event => { $('side').setPointerCapture(event.pointerId); pick(event); };
  $('side').onpointermove = event => { if (event.buttons) pick(event); };

  let zoom = 1;
  function magnify(times) {
    zoom = Math.max(1, Math.min(24, times));
    change();
  }

  // ---- drawing, at most once a frame

  let due = false;
  function change() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      if (count) draw();
    });
  }
  new ResizeObserver(change).observe($('run'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', change);

  function draw() {
    $('run').classList.toggle('bare', !hasWay);
    Object.assign($('slider'), { max: count - 1, value: shown });
    $('slider').setAttribute('aria-valuetext', `step ${shown} of ${count - 1}`);
    $('follow').setAttribute('aria-pressed', follow);
    $('subgoals').replaceChildren(...meta.subgoals.map((goal, i) => {
      const done = reached[i] <= shown;
      const next = !done && meta.subgoals.every((_, j) => j >= i || reached[j] <= shown);
      return el('li', done ? 'reached' : next ? 'next' : '', plain(goal.name), el('span', 'quiet', done ? `step ${reached[i]}` : ''));
    }));
    const step = stepAt(shown), before = stepAt(shown - 1);
    $('plan').textContent = hasWay ? 'Steps' : 'Plan';
    if (hasWay) drawMap(step);
    drawSide();
    drawRows();
    if (!step) return;
    drawStep(step, before);
    drawScene(step, before);
    drawPlayer(step, before);
    drawLaws(step);
  }

  const lawsAt = n => revisions.findLast(revision => revision.from <= n).laws;
  const nameOf = action => plain(meta.actions[action]?.name ?? `action ${action}`);

  const RULINGS = { allowed: ['good', 'allowed'], blocked: ['bad', 'blocked'], undecided: ['warn', 'undecided: not run'],
    unreadable: ['warn', 'not an action'], unshielded: ['warn', 'would be blocked'] };
  function proposal(given, laws) {
    const { reply, ruling } = given;
    const quiet = ruling.kind === 'unshielded' && !ruling.laws.length && !ruling.undecided;
    const [kind, words] = quiet ? ['quiet', 'not judged against'] : RULINGS[ruling.kind] ?? ['quiet', ruling.kind];
    const what = reply.kind === 'action' ? nameOf(reply.action) : reply.name ?? reply.reply ?? '';
    const node = el('div', 'proposal', el('b', '', what), el('span', 'tag ' + kind, words));
    for (const law of ruling.laws ?? []) {
      node.append(el('p', '', el('code', '', law), ' ', laws.find(it => it.id === law)?.explanation ?? ''));
    }
    const why = ruling.explanation ?? ruling.why ?? reply.why
      ?? (reply.suggestion ? `There is no such action; the nearest is ${plain(reply.suggestion)}.` : null);
    if (why) node.append(el('p', 'quiet why', why));
    return node;
  }

  function drawStep(step, before) {
    const laws = lawsAt(shown);
    $('action').textContent = step.action === null ? `Step ${shown} · the beginning` : `Step ${shown} · ${nameOf(step.action)}`;
    const failed = step.failure ? ` (${plain(step.failure)})` : '';
    Object.assign($('message'), { className: failed ? 'bad' : 'good', textContent: (step.message ?? '') + failed });
    $('thought').textContent = step.thought ?? '';
    const notes = [];
    if (step.force.kind !== 'all') {
      const gave = step.force.suspended ?? laws.filter(law => !law.hard).map(law => law.id);
      notes.push(el('p', 'warn', `No action fits all laws here: ${step.force.conflict.join(', ')}. Suspended: ${gave.join(', ')}.`));
    }
    if (step.violations.length) notes.push(el('p', 'bad', `Violated by what happened: ${step.violations.join(', ')}`));
    $('proposals').replaceChildren(...step.proposals.map(given => proposal(given, laws)), ...notes);
    $('flight').textContent = flight && shown === count - 1
      ? `Under way, step ${flight.n}: ${flight.action === null ? 'choosing an action' : nameOf(flight.action)} …` : '';
    chips('holds', step.holds, (before ?? step).holds, id => [plain(meta.observations[id]?.name ?? id), meta.observations[id]?.meaning]);
    const facts = step.details?.facts ?? [];
    chips('facts', facts, before?.details?.facts ?? facts, fact => [fact.replace(/^\(|\)$/g, ''), '']);
  }
  /** Shows what holds, changes first: new things are marked, and things that no longer hold are struck through. */
  function chips(id, now, was, named) {
    const [here, earlier] = [new Set(now), new Set(was)];
    const changed = [...now.filter(it => !earlier.has(it)), ...was.filter(it => !here.has(it))];
    const all = [...changed, ...now.filter(it => earlier.has(it))];
    $(id).parentElement.hidden = !all.length;
    $(id).replaceChildren(...all.slice(0, 300).map((it, i) => {
      const mark = i >= changed.length ? '' : here.has(it) ? 'new' : 'gone', [name, title] = named(it);
      return Object.assign(el('span', 'chip ' + mark, (mark === 'new' ? '+ ' : '') + name), { title });
    }), all.length > 300 ? el('span', 'quiet', `and ${all.length - 300} more`) : '');
  }

  /** Draws a planning task as boxes in boxes, and marks those that the step moved or changed. */
  function drawScene(step, before) {
    const boxes = step.boxes ?? [], known = new Map();
    const note = (of, place) => of.forEach(it => { known.set(it.name, `${place} ${it.is}`); note(it.inside, it.name); });
    note(before?.boxes ?? boxes, '');
    const draw = (it, place) => {
      const kind = (it.robot ? ' robot' : '') + (known.get(it.name) === `${place} ${it.is}` ? '' : ' moved');
      return el('div', 'box' + kind, el('span', '', it.name, ...it.is.map(is => el('small', '', is))),
        it.inside.length ? el('div', 'inside', ...it.inside.map(inner => draw(inner, it.name))) : null);
    };
    $('scene').hidden = !boxes.length;
    $('scene').replaceChildren(...boxes.map(it => draw(it, '')));
  }

  const USES = { wooden: 59, stone: 131, iron: 250, golden: 32, diamond: 1561 };
  function bar(className, part) {
    const fill = el('i', className);
    fill.style.width = `${Math.max(0, Math.min(1, part)) * 100}%`;
    return el('span', 'bar', fill);
  }

  function drawPlayer(step, before) {
    const seen = step.details ?? {}, earlier = before?.details?.inventory ?? {};
    $('body').hidden = seen.health === undefined;
    if (!$('body').hidden) {
      const vital = (name, value, most, className) =>
        el('div', 'vital', el('span', '', name), bar(className, value / most), el('span', 'quiet', `${Math.round(value)}/${most}`));
      const at = seen.position;
      $('vitals').replaceChildren(vital('health', seen.health, 20, 'health'), vital('hunger', seen.hunger, 20, 'hunger'),
        ...(seen.head_in_water ? [vital('breath', seen.air, 300, 'air')] : []),
        el('div', 'quiet', `x ${at.x}, y ${at.y}, z ${at.z} · ${plain(seen.biome)}`
          + (seen.furnace_fire ? ` · furnace burns ${Math.round(seen.furnace_fire / 20)} s` : '')));
      const items = Object.entries(seen.inventory ?? {});
      $('inventory').replaceChildren(...items.map(([item, many]) => {
        const node = el('span', 'chip' + (item === seen.equipped ? ' held' : '') + (many > (earlier[item] ?? 0) && before ? ' new' : ''),
          plain(item), many > 1 ? el('small', '', `×${many}`) : null);
        const left = seen.tools?.[item], uses = USES[item.split('_')[0]];
        if (left !== undefined) node.append(el('small', '', `${left} left`), uses ? bar('', left / (uses * many)) : '');
        return node;
      }), items.length ? '' : el('span', 'quiet', 'carries nothing'));
      const away = (kind, distance, className) => el('span', 'chip ' + className, plain(kind), el('small', '', `${Math.round(distance)} m`));
      $('around').replaceChildren(...Object.entries(seen.hazards ?? {}).map(([kind, distance]) => away(kind, distance, 'bad')),
        ...Object.entries(seen.nearby ?? {}).map(([kind, sighting]) => away(kind, sighting.distance, '')));
    }
    const [prompt, completion, cached] = ['prompt', 'completion', 'cached'].map(name => column[name][shown]);
    const price = meta.price;
    const cost = price && ((prompt - cached) * price.input + cached * price.cached_input + completion * price.output) / 1e9;
    const seconds = Math.floor(column.ticks[shown] / 20);
    const rows = [['steps', `${number(shown)} of at most ${number(meta.max_steps)}`],
      ['tokens', number(prompt + completion)], ['prompt, answer', `${number(prompt)}, ${number(completion)}`],
      ['tokens a step', number(Math.round((prompt + completion) / Math.max(1, shown)))],
      ['cost', price ? (cost ? `$${cost.toFixed(4)}` : 'nothing') : 'unknown price']];
    if (hasWay) rows.push(['game time', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`]);
    $('cost').replaceChildren(...rows.flatMap(([name, value]) => [el('dt', '', name), el('dd', '', value)]));
  }

  function drawLaws(step) {
    const laws = lawsAt(shown), explained = id => laws.find(law => law.id === id)?.explanation ?? '';
    $('owed').replaceChildren(...step.owed.map(law => Object.assign(el('span', 'chip warn', law), { title: explained(law) })),
      step.owed.length ? '' : el('span', 'quiet', 'nothing'));
    const fired = new Set(step.proposals.flatMap(({ ruling }) => ruling.laws ?? []));
    const rows = laws.map(law => ({ law, blocks: until(hits.get(law.id), shown), breaks: until(broken.get(law.id), shown) }));
    rows.sort((a, b) => fired.has(b.law.id) - fired.has(a.law.id) || b.blocks - a.blocks || b.breaks - a.breaks);
    $('laws').replaceChildren(...rows.slice(0, 200).map(({ law, blocks, breaks }) => {
      const node = el('div', 'lawrow' + (fired.has(law.id) ? ' fired' : ''),
        el('span', '', el('code', '', law.id), ' ', el('span', 'quiet', law.hard ? 'hard' : 'soft')),
        el('span', blocks ? '' : 'quiet', number(blocks) + (breaks ? `, violated ${number(breaks)}` : '')), el('p', '', law.explanation));
      return Object.assign(node, { title: law.formula });
    }), laws.length ? '' : el('span', 'quiet', 'no laws'));
  }

  // ---- the list of steps: only the rows in sight exist

  const ROW = 26;
  let atRow = -1;
  const pool = [];
  $('rows').onscroll = () => drawRows(true);
  $('rows').onclick = event => {
    const row = event.target.closest('.row');
    if (row) go(Number(row.dataset.step), false);
  };
  function drawRows(scrolled) {
    const box = $('rows'), height = box.clientHeight;
    $('spacer').style.height = `${count * ROW}px`;
    if (!scrolled && atRow !== shown) {
      atRow = shown;
      const top = shown * ROW;
      if (top < box.scrollTop + ROW || top > box.scrollTop + height - 2 * ROW) box.scrollTop = top - height / 2;
    }
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 2), most = Math.ceil(height / ROW) + 4;
    while (pool.length < most) {
      pool.push(el('div', 'row', el('span'), el('span'), el('span')));
      box.append(pool.at(-1));
    }
    pool.forEach((row, i) => {
      const n = first + i;
      row.hidden = n >= count || i >= most;
      if (row.hidden) return;
      const [index, name, note] = row.children;
      const action = column.action[n], status = column.status[n], blocks = column.blocks[n];
      row.className = 'row' + (n === shown ? ' current' : '');
      row.style.top = `${n * ROW}px`;
      row.dataset.step = n;
      index.textContent = n;
      name.textContent = action === NOTHING ? 'the beginning' : nameOf(action);
      const goals = meta.subgoals.filter((_, j) => reached[j] === n).map(goal => plain(goal.name));
      const notes = [goals.length ? `reached ${goals.join(', ')}` : '', status & FAILED ? 'failed' : '',
        status & VIOLATED ? 'violation' : '', blocks ? `${blocks} blocked` : '', status & CONFLICT ? 'laws conflict' : ''];
      note.className = status & (FAILED | VIOLATED) ? 'bad' : goals.length ? 'good' : 'warn';
      note.textContent = notes.filter(Boolean).join(' · ');
    });
  }

  // ---- the land

  const TILE = 64, TILES = 160;
  const tiles = new Map();
  let asking = 0;
  /** Returns a tile; asks for it if it is near the way. */
  function tile(x, z, asks) {
    const key = `${x}/${z}`, found = tiles.get(key);
    if (found || !asks || asking >= 2 || !meta.land) return found;
    asking++;
    tiles.set(key, {});
    if (tiles.size > TILES) tiles.delete(tiles.keys().next().value);
    fetch(`${base}land/${meta.land}/${key}`).then(answer => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer)))
      .then(buffer => {
        const bytes = new DataView(buffer), image = new ImageData(TILE, TILE), ground = new Int16Array(TILE * TILE);
        for (let i = 0; i < TILE * TILE; i++) {
          for (let c = 0; c < 3; c++) image.data[4 * i + c] = bytes.getUint8(5 * i + c);
          image.data[4 * i + 3] = 255;
          ground[i] = bytes.getInt16(5 * i + 3);
        }
        const canvas = el('canvas');
        canvas.width = canvas.height = TILE;
        canvas.getContext('2d').putImageData(image, 0, 0);
        tiles.set(key, { canvas, ground });
      }).catch(() => {}).finally(() => { asking--; change(); });
    return undefined;
  }
  const tileOf = (x, z) => `${Math.floor(x / TILE)}/${Math.floor(z / TILE)}`;
  const groundAt = (x, z) => tiles.get(tileOf(x, z))?.ground?.[(z & 63) * TILE + (x & 63)];
  const isUnder = n => column.y[n] < (groundAt(column.x[n], column.z[n]) ?? -Infinity) - 1;

  /** Prepares a canvas for its size on the screen. */
  function surface(id) {
    const canvas = $(id), ratio = devicePixelRatio || 1, { clientWidth: w, clientHeight: h } = canvas;
    const [wide, high] = [Math.round(w * ratio), Math.round(h * ratio)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const g = canvas.getContext('2d');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    return { g, w, h };
  }
  function label(g, text, x, y) {
    Object.assign(g, { font: '600 12px system-ui, sans-serif', lineWidth: 3, strokeStyle: '#000b', fillStyle: '#fff' });
    g.strokeText(text, x, y);
    g.fillText(text, x, y);
  }

  const ORES = { coal_ore: '#23252a', iron_ore: '#e0b594', diamond_ore: '#3fe0e8', crafting_table: '#b0722c', furnace: '#9b9ba0' };
  function drawMap(step) {
    const { g, w, h } = surface('map');
    const wide = Math.max(72, area.x[1] - area.x[0] + 28), deep = Math.max(56, area.z[1] - area.z[0] + 28);
    const scale = Math.min(w / wide, h / deep) * zoom;
    const [px, pz] = [column.x[shown], column.z[shown]];
    const centre = zoom > 1 && px !== NOWHERE ? [px, pz] : [(area.x[0] + area.x[1]) / 2, (area.z[0] + area.z[1]) / 2];
    const sx = x => w / 2 + (x + 0.5 - centre[0]) * scale, sz = z => h / 2 + (z + 0.5 - centre[1]) * scale;
    const range = (middle, half) => [Math.floor((middle - half / scale) / TILE), Math.floor((middle + half / scale) / TILE)];
    const [x0, x1] = range(centre[0], w / 2), [z0, z1] = range(centre[1], h / 2);
    let near = null;
    if ((x1 - x0 + 1) * (z1 - z0 + 1) > 60) {
      near = new Set();
      for (let n = 0; n < count; n++) near.add(tileOf(column.x[n], column.z[n]));
    }
    Object.assign(g, { imageSmoothingEnabled: scale < 1, strokeStyle: colour('line'), lineWidth: 1 });
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        const canvas = tile(x, z, !near || near.has(`${x}/${z}`))?.canvas;
        const [left, top] = [Math.floor(sx(x * TILE - 0.5)), Math.floor(sz(z * TILE - 0.5))];
        const [right, bottom] = [Math.floor(sx((x + 1) * TILE - 0.5)), Math.floor(sz((z + 1) * TILE - 0.5))];
        if (canvas) g.drawImage(canvas, left, top, right - left, bottom - top);
        else g.strokeRect(left + 0.5, top + 0.5, right - left, bottom - top);
      }
    }
    const way = { above: new Path2D(), under: new Path2D(), later: new Path2D() };
    for (let n = 1; n < count; n++) {
      if (column.x[n] === NOWHERE || column.x[n - 1] === NOWHERE) continue;
      const path = n > shown ? way.later : isUnder(n) ? way.under : way.above;
      path.moveTo(sx(column.x[n - 1]), sz(column.z[n - 1]));
      path.lineTo(sx(column.x[n]), sz(column.z[n]));
    }
    g.lineCap = g.lineJoin = 'round';
    for (const [path, stroke, width] of [[way.later, '#fff7', 1.5], [way.above, '#000a', 5], [way.under, '#000a', 5],
      [way.above, '#fff', 2.5], [way.under, '#ffae3d', 2.5]]) {
      Object.assign(g, { strokeStyle: stroke, lineWidth: width });
      g.stroke(path);
    }
    const dot = (x, y, radius, fill) => {
      g.fillStyle = fill;
      g.beginPath();
      g.arc(x, y, radius, 0, 7);
      g.fill();
    };
    const box = (x, z, size, fill) => {
      Object.assign(g, { fillStyle: fill, strokeStyle: '#000a', lineWidth: 1.5 });
      g.fillRect(sx(x) - size / 2, sz(z) - size / 2, size, size);
      g.strokeRect(sx(x) - size / 2, sz(z) - size / 2, size, size);
    };
    for (const [kind, { nearest }] of Object.entries(step?.details?.nearby ?? {})) {
      const fill = ORES[kind.replace('deepslate_', '')];
      if (fill) box(nearest.x, nearest.z, 7, fill);
    }
    for (const { block, position } of step?.details?.placed ?? []) box(position.x, position.z, 9, ORES[block] ?? '#888');
    const labels = [];
    meta.subgoals.forEach((goal, i) => {
      if (!(reached[i] <= shown) || column.x[reached[i]] === NOWHERE) return;
      const [x, z] = [sx(column.x[reached[i]]), sz(column.z[reached[i]])];
      let line = z - 5;
      while (labels.some(other => Math.abs(other.x - x) < 110 && Math.abs(other.line - line) < 14)) line += 14;
      labels.push({ x, line });
      dot(x, z, 4, '#46c2d2');
      const right = x > w - 110;
      g.textAlign = right ? 'right' : 'left';
      label(g, plain(goal.name), x + (right ? -8 : 8), line);
    });
    g.textAlign = 'left';
    if (px === NOWHERE) return;
    for (const [radius, fill] of [[8.5, '#000a'], [7.5, '#fff'], [5, '#e63e3e']]) dot(sx(px), sz(pz), radius, fill);
  }

  const PAD = 8;
  /** Draws the height by step, with the land above it, and a strip with the status of each step. */
  function drawSide() {
    const { g, w, h } = surface('side');
    const x = n => PAD + (n / Math.max(1, count - 1)) * (w - 2 * PAD);
    const stride = Math.max(1, Math.floor(count / w)), bottom = h - 12;
    const tops = [];
    let [low, high] = area.y;
    for (let n = 0; hasWay && n < count; n += stride) {
      const ground = column.x[n] === NOWHERE ? undefined : groundAt(column.x[n], column.z[n]);
      if (ground !== undefined) { tops.push([n, ground]); high = Math.max(high, ground); low = Math.min(low, ground); }
    }
    if (hasWay) {
      [low, high] = [low - 6, high + 8];
      const y = height => bottom - ((height - low) / (high - low)) * bottom;
      const sky = g.createLinearGradient(0, 0, 0, bottom);
      sky.addColorStop(0, colour('sky-high'));
      sky.addColorStop(1, colour('sky-low'));
      g.fillStyle = sky;
      g.fillRect(0, 0, w, bottom);
      for (const [depth, fill] of [[0, 'soil'], [4, 'stone'], [Infinity, 'deep']]) {
        g.fillStyle = colour(fill);
        g.beginPath();
        const top = ground => Math.max(0, Math.min(bottom, y(depth === Infinity ? Math.min(0, ground) : ground - depth)));
        tops.forEach(([n, ground], i) => (i ? g.lineTo(x(n), top(ground)) : g.moveTo(x(n), top(ground))));
        if (tops.length) { g.lineTo(x(tops.at(-1)[0]), bottom); g.lineTo(x(tops[0][0]), bottom); }
        g.fill();
      }
      for (const [from, to, stroke, width] of [[0, count - 1, '#fff', 4], [0, shown, '#d8352f', 2.2], [shown, count - 1, '#8a8a8a', 1.6]]) {
        Object.assign(g, { strokeStyle: stroke, lineWidth: width });
        g.beginPath();
        for (let n = from; n <= to; n += n + stride > to && n < to ? to - n : stride) {
          if (column.y[n] !== NOWHERE) g.lineTo(x(n), y(column.y[n] + 1));
        }
        g.stroke();
      }
      let under = -Infinity;
      for (const height of [area.y[1], 0, area.y[0]]) {
        const line = Math.max(12, y(height) - 3);
        if (height < low || height > high || line < under + 16) continue;
        label(g, `y ${height}`, 4, line);
        under = line;
      }
      meta.subgoals.forEach((goal, i) => {
        if (!(reached[i] <= shown)) return;
        g.textAlign = x(reached[i]) > w - 90 ? 'right' : 'left';
        label(g, plain(goal.name), x(reached[i]), 14 + 15 * (i % 3));
        g.fillStyle = '#46c2d2';
        g.fillRect(x(reached[i]) - 1, 18 + 15 * (i % 3), 2, bottom - 18 - 15 * (i % 3));
      });
      g.textAlign = 'left';
    }
    const colours = [colour('line'), colour('good'), colour('warn'), colour('bad')];
    const worst = new Map();
    for (let n = 0; n < count; n++) {
      const status = column.status[n], at = Math.floor(x(n));
      const rank = status & (FAILED | VIOLATED) ? 3 : status & (BLOCKED | UNREADABLE | CONFLICT) ? 2 : 1;
      worst.set(at, Math.max(worst.get(at) ?? 0, rank));
    }
    const width = Math.max(1, (w - 2 * PAD) / count - 1);
    for (const [at, rank] of worst) { g.fillStyle = colours[rank]; g.fillRect(at - width / 2, bottom + 2, width, 8); }
    g.fillStyle = colour('way');
    g.fillRect(x(shown) - 0.75, 0, 1.5, h);
  }
})();
