// Mapping editor: after each edit the draft is sent, checked, saved where it has no errors, and simulated; the server
// gives the parts of the page anew. Without this script the same form saves and checks with its button.
// What is not saved is kept in this tab (sessionStorage), so that a session that ends or a reload loses nothing.
const $ = (s, e = document) => e.querySelector(s), $$ = (s, e = document) => [...e.querySelectorAll(s)];
const form = $('#draft'), saved = $('#saved'), live = $('#live'), source = $('#src');
const past = [], future = [], out = $('#signed-out'), go = $('#publish');
const copy = `skan-draft ${new URLSearchParams(location.search).get('draft')} ${source ? 'json' : 'form'}`;
// The field that a step began in, and a step that is tried again.
let focused, again = false;
let timer, busy = false, waiting = null, leaving = false, dirty = false, held = false, state = snapshot();

// What the draft is: the text that the form was made of, and what is filled in.
function snapshot() { return [...new FormData(form)].filter(([n]) => n.startsWith('$') || n === 'document'); }
function restore(fields) {
  for (const [name, value] of fields) { const f = form.elements[name]; if (f) f.value = value; }
  state = fields; buttons(); hold(); send();
}
function buttons() {
  for (const [id, list] of [['undo', past], ['redo', future]]) { const b = $(`#${id}`); b.hidden = false; b.disabled = !list.length; }
}
// While a step changes which fields there are, nothing is typed into a field that may become another one.
function hold() { if (!held) focused = document.activeElement?.name; held = form.inert = true; }
function release() {
  if (!held || waiting || again) return;
  held = form.inert = false;
  if (document.activeElement === document.body) form.elements[focused]?.focus?.();
}

// A browser without room for it, or that forbids it, still edits.
function keep(sent) { try { sessionStorage.setItem(copy, JSON.stringify({ etag: form.elements.etag.value, base: form.elements.base.value, fields: state, sent })); } catch {} }
function kept() { try { return JSON.parse(sessionStorage.getItem(copy)); } catch { return null; } }
function drop() { dirty = false; try { sessionStorage.removeItem(copy); } catch {} }

// What is saved is older than what is shown, so it must not be published.
function unsaved(text) {
  saved.textContent = text;
  dirty = true; keep();
  go.setAttribute('aria-disabled', 'true'); go.removeAttribute('href');
}

// A new session has another form token: the page that it shows has it. True where that may help.
async function renew() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = $('#draft [name="form-token"]', page)?.value;
  if (!fresh || fresh === form.elements['form-token'].value) return false;
  for (const field of $$('[name="form-token"]')) field.value = fresh;
  return true;
}

// The service did not take the form; where the session has ended, another one begins in this page.
async function explain(answer, step) {
  if (answer.status === 403 && await renew()) return send(step);
  unsaved(answer.status === 401 ? saved.dataset.signedOut : answer.status < 500 ? saved.dataset.notAccepted : saved.dataset.lost);
  out.hidden = answer.status !== 401;
}
// Signing in happens in the page, which keeps what was typed.
out.addEventListener('submit', async e => {
  e.preventDefault();
  const word = $('[role="status"]', out);
  try {
    // A token that is right leads to another page, which is not needed here.
    const answer = await fetch(out.action, { method: 'POST', body: new URLSearchParams(new FormData(out)), redirect: 'manual' });
    if (answer.type !== 'opaqueredirect') { word.textContent = [401, 403].includes(answer.status) ? out.dataset.failed : answer.status === 429 ? out.dataset.tooMany : saved.dataset.lost; return; }
    word.textContent = ''; out.reset();
    await renew(); await send(); $('[name^="$"], #src', form)?.focus();
  } catch { word.textContent = saved.dataset.lost; }
});
// A session that began again in another tab serves too; a line that was lost is tried again.
addEventListener('online', () => { if (dirty) send(); });
addEventListener('focus', async () => { try { if (!out.hidden && await renew()) send(); } catch {} });
addEventListener('beforeunload', e => { if (dirty) e.preventDefault(); });
form.addEventListener('submit', e => {
  const word = e.submitter?.value ?? '';
  if (e.submitter?.matches('[data-step]')) { e.preventDefault(); send(e.submitter); }
  // Enter in a field saves, as it does without scripts, and the page stays.
  else if (e.submitter?.matches('.sr') && !leaving) { e.preventDefault(); send(); }
  else if (word === 'discard') drop();
  else if (dirty) { keep(true); dirty = false; }
});

// Cells and rows stay the same elements, so that the focus and the map's keys go on.
function refresh(part, html, isStep, before) {
  const box = $(`#part-${part}`), next = document.createElement('template');
  if (!box) return;
  next.innerHTML = html;
  const old = $$('button.cell, .as-table tbody tr', box), fresh = $$('button.cell, .as-table tbody tr', next.content);
  if (part === 'map' && old.length && fresh.length !== old.length) return;
  if (part === 'map' && old.length) {
    old.forEach((e, i) => {
      e.innerHTML = fresh[i].innerHTML;
      if (e.matches('.cell')) { e.className = fresh[i].className; e.setAttribute('aria-label', fresh[i].getAttribute('aria-label')); }
    });
    $('.legend', box).innerHTML = $('.legend', next.content).innerHTML;
  } else if (part === 'fields') {
    const names = e => $$('button, [name^="$"]', e).map(f => f.value && f.matches('button') ? f.value : f.name).join();
    if (names(box) === names(next.content)) {
      // A field that was written in meanwhile keeps what was written; it is sent next.
      for (const f of $$('[name^="$"]', next.content)) { const o = form.elements[f.name]; if (o && (isStep || o !== document.activeElement && o.value === before.get(f.name))) o.value = f.value; }
      const words = e => $$('legend, summary, .ev, select[name^="at:"]', e), fresh = words(next.content);
      words(box).forEach((e, i) => { const value = e.value; if (fresh[i] && e.innerHTML !== fresh[i].innerHTML) { e.innerHTML = fresh[i].innerHTML; e.value = value; } });
    } else {
      const at = document.activeElement?.name, open = new Map($$('details', box).map(d => [d.id, d.open]));
      const lists = isStep ? [] : $$('[name^="list:"]', box).filter(f => f.value !== f.defaultValue).map(f => [f.name, f.value]);
      box.replaceChildren(next.content);
      for (const [name, value] of lists) if (form.elements[name]) form.elements[name].value = value;
      for (const d of $$('details', box)) if (d.id && open.has(d.id)) d.open = open.get(d.id);
      if (at?.startsWith('$')) form.elements[at]?.focus();
    }
  } else {
    const open = $$('details', box).map(d => d.open);
    box.replaceChildren(next.content);
    $$('details', box).forEach((d, i) => { d.open = open[i] ?? d.open; });
  }
}

// An error is shown at its field and its cell, in the map of the last draft without errors.
function mark(errors) {
  for (const f of $$('[name^="$"]', form)) f.setAttribute('aria-invalid', errors.some(e => e.path === f.name));
  for (const c of $$('#draftmap .cell')) {
    const wrong = errors.some(e => e.cell === c.dataset.v), sign = $('.w', c);
    c.classList.toggle('err', wrong);
    if (wrong) sign.textContent = '✕'; else if (sign.textContent === '✕') sign.textContent = c.classList.contains('wrn') ? '!' : '';
  }
  $('#shown').hidden = !errors.length || !$('#draftmap');
}

// Where the focus goes after a step: the element that moved, the one that came, or the next one.
function follow(button, value) {
  const [, word, path, list, index] = value.match(/^edit:(\S+) ((.*)\[(\d+)\])$/) ?? value.match(/^edit:(\S+) (.*)$/) ?? [];
  const press = (w, p) => $$('button', form).find(b => b.value === `edit:${w} ${p}`);
  let to;
  if (word === 'up' || word === 'down') {
    const at = `${list}[${+index + (word === 'up' ? -1 : 1)}]`;
    to = press(word, at) ?? press(word === 'up' ? 'down' : 'up', at);
  } else if (word === 'remove') {
    to = index === undefined ? press('add', path) : press('remove', path) ?? press('remove', `${list}[${index - 1}]`) ?? press('add', list);
  } else if (word === 'add') {
    const own = $$('[name^="$"]', form).filter(f => f.name.startsWith(`${path}[`));
    const last = Math.max(...own.map(f => parseInt(f.name.slice(path.length + 1), 10)));
    to = own.find(f => f.name.startsWith(`${path}[${last}]`));
    const fold = to?.closest('details'); if (fold) fold.open = true;
  } else if (word === 'insert' || word === 'remove-edge') {
    const field = $$('[data-edge]', form).filter(f => f.dataset.edge === path && f.dataset.at);
    to = field[Math.min(chosen.get(path) + (word === 'insert' ? 1 : 0), field.length - 1)];
  }
  to ??= $$('button', form).find(b => b.value === value);
  to?.focus();
  if (to?.select) to.select();
  $('#heard').textContent = `${button.ariaLabel ?? button.textContent}`;
}
// Sends all that is not saved, also fields that another editor has removed: the page that comes shows both texts.
function leave() {
  keep(true); dirty = false; leaving = true;
  const other = document.createElement('form');
  other.method = 'post'; other.action = form.action; other.hidden = true;
  const own = ['form-token', 'etag', 'base', 'state', 'next'].filter(n => form.elements[n]).map(n => [n, form.elements[n].value]);
  for (const [name, value] of [...own, ['do', 'save'], ...state]) {
    const field = document.createElement('textarea');
    field.name = name; field.value = value; other.append(field);
  }
  document.body.append(other); other.submit();
}
// The edge that each list's buttons act on.
const chosen = new Map();

// Sends the draft, after the step of a button if there is one. One request at a time: what a request saved whose answer
// was not waited for would look like another editor's work to the next one.
async function send(step) {
  clearTimeout(timer);
  if (step) hold();
  if (busy) { waiting = { step: step ?? waiting?.step }; return; }
  busy = true;
  const before = snapshot(), value = step?.value;
  if (step) state = before;
  const body = new URLSearchParams(state), sent = JSON.stringify(before);
  for (const name of ['form-token', 'etag', 'base']) body.set(name, form.elements[name].value);
  body.set('do', 'try');
  if (step) {
    body.set('step', value);
    for (const [n, v] of new FormData(form)) if (/^(at|list):|^model$/.test(n)) { body.append(n, v); if (n.startsWith('at:')) chosen.set(n.slice(3), +v); }
  }
  live.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(form.action, { method: 'POST', body });
    if (!(answer.headers.get('Content-Type') ?? '').startsWith('application/json')) { await explain(answer, step); return; }
    out.hidden = true;
    const result = await answer.json();
    // The same draft was loaded in another tab meanwhile.
    if (result.superseded) { again = true; timer = setTimeout(() => { again = false; send(step); }, 1000); return; }
    if (result.rejected) { unsaved(result.rejected); return; }
    // Somebody else saved the draft: the form's own button shows both texts.
    if (result.conflict) { leave(); return; }
    // What was typed meanwhile is sent next, and kept until that is saved.
    const isAll = JSON.stringify(snapshot()) === sent;
    form.elements.etag.value = result.etag;
    if (result.saved) form.elements.base.value = result.document;
    saved.textContent = result.saved ? saved.dataset.saved : saved.dataset.unsaved;
    if (step && result.nothing) saved.textContent = saved.dataset.nothing;
    release();
    const blocked = result.errors.length > 0;
    for (const [part, html] of Object.entries(result.parts)) {
      // The map, the schedule and the figures of the last draft without errors stay.
      if (blocked && ['map', 'schedule', 'result'].includes(part)) continue;
      const heard = part === 'findings' && $('#count')?.textContent;
      // A step can move what the focused field has to another field.
      refresh(part, html, !!step, new Map(before));
      if (heard && heard !== $('#count').textContent) $('#heard').textContent = $('#count').textContent;
    }
    // The fields are those of this text by now, so they are sent with it.
    if (!source) form.elements.document.value = result.document; else if (step) source.value = result.document;
    if (blocked) { go.setAttribute('aria-disabled', 'true'); go.removeAttribute('href'); } else { go.removeAttribute('aria-disabled'); go.setAttribute('href', go.dataset.href); }
    mark(result.errors);
    state = snapshot();
    if (step && JSON.stringify(state) !== JSON.stringify(before)) { past.push(before); future.length = 0; buttons(); }
    if (step) follow(step, value);
    if (result.saved && isAll) drop(); else keep();
  } catch {
    unsaved(saved.dataset.lost); timer = setTimeout(() => send(), 5000);
  } finally {
    busy = false;
    release();
    if (waiting) { const next = waiting.step; waiting = null; send(next); } else live.setAttribute('aria-busy', 'false');
  }
}

function edited(isNew) {
  past.push(state); future.length = 0; state = snapshot(); buttons();
  dirty = true; keep();
  saved.textContent = saved.dataset.saving;
  clearTimeout(timer);
  // A new edge moves others to other fields.
  if (isNew) { hold(); send(); } else timer = setTimeout(() => send(), 250);
}
// An edge that is being written, or was emptied to write another, is none yet: it counts when its field is left.
const isOpen = f => f.matches('[data-new]') || (f.matches('[data-edge]') && f.value === '');
const isDraft = f => f.name?.startsWith('$') || f === source;
form.addEventListener('input', e => { if (isDraft(e.target) && !isOpen(e.target)) edited(); });
form.addEventListener('change', e => { if (isDraft(e.target) && isOpen(e.target)) edited(true); });
form.addEventListener('focusin', e => {
  const choice = e.target.dataset.at && form.elements[`at:${e.target.dataset.edge}`];
  if (choice) choice.value = e.target.dataset.at;
});
const press = (word, path) => $$('button', form).find(b => b.value === `edit:${word} ${path}`)?.click();
form.addEventListener('keydown', e => {
  const arrow = ['ArrowUp', 'ArrowDown'].includes(e.key), row = e.target.closest('[data-path]');
  if (e.altKey && arrow && row) { e.preventDefault(); press(e.key === 'ArrowUp' ? 'up' : 'down', row.dataset.path); return; }
  if (!e.target.matches('[data-edge]')) return;
  const path = e.target.dataset.edge;
  if (e.key === 'Enter') { e.preventDefault(); if (isOpen(e.target)) edited(true); else press('insert', path); }
  if (e.key === 'Delete' && e.ctrlKey) { e.preventDefault(); press('remove-edge', path); }
  const now = +e.target.value; if (!arrow || !Number.isFinite(now) || e.target.value === '') return;
  e.preventDefault();
  const step = now < .2 ? .01 : now < 2 ? .1 : 1;
  e.target.value = +Math.max(0, now + (e.key === 'ArrowUp' ? step : -step)).toFixed(2);
  edited();
});
document.addEventListener('keydown', e => {
  if (!(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== 'z' || e.target.matches('textarea')) return;
  e.preventDefault(); $(e.shiftKey ? '#redo' : '#undo').click();
});
$('#undo').addEventListener('click', () => { if (!held && past.length) { future.push(snapshot()); restore(past.pop()); } });
$('#redo').addEventListener('click', () => { if (!held && future.length) { past.push(snapshot()); restore(future.pop()); } });

// A finding leads to its field, else to its value in the map.
document.addEventListener('click', e => {
  const go = e.target.closest('[data-goto]'); if (!go) return;
  const cell = $(`#draftmap [data-v="${go.dataset.goto}"]`);
  if (cell) { e.preventDefault(); cell.focus(); cell.click(); }
});
// A search for a mapping goes on beside the edits; its panel is looked at until it has ended.
setInterval(async () => {
  const box = $('#part-proposal'); if (!$('[data-running]', box) || document.hidden) return;
  try {
    const answer = await fetch(box.dataset.address, { headers: { Accept: 'text/html' } }); if (!answer.ok) return;
    const fresh = $('#part-proposal', new DOMParser().parseFromString(await answer.text(), 'text/html'));
    if (!fresh || !$('[data-running]', box)) return;
    const at = document.activeElement?.value, inside = box.contains(document.activeElement);
    box.innerHTML = fresh.innerHTML;
    if (inside) ($$('button', box).find(b => b.value === at) ?? $('button', box))?.focus();
    if (!$('[data-running]', box)) $('#heard').textContent = $('p', box).textContent;
  } catch {}
}, 2000);
document.addEventListener('pin', e => {
  const row = $$('#part-map .as-table tbody tr')[e.detail];
  if (row) $('#celltext').textContent = [...row.children].map(c => c.textContent).filter(Boolean).join(' · ');
});
buttons();

// Edits that were not saved when this page was left: sent as if they were typed again, against what they were made of.
// What a button sent was saved if the draft is another one by now.
const lost = kept();
if (lost?.sent && lost.etag !== form.elements.etag.value) drop();
else if (lost && JSON.stringify(lost.fields) !== JSON.stringify(state)) {
  past.push(state);
  form.elements.etag.value = lost.etag; form.elements.base.value = lost.base;
  dirty = true;
  restore(lost.fields);
} else if (lost) drop();
