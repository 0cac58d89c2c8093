// Mapping editor: after each edit the draft is sent, checked, saved where it has no errors, and simulated; the server
// gives the parts of the page anew. Without this script the same form saves and checks with its button.
// What is not saved is kept in this tab (sessionStorage), so that a session that ends or a reload loses nothing.
const $ = (s, e = document) => e.querySelector(s), $$ = (s, e = document) => [...e.querySelectorAll(s)];
const form = $('#draft'), saved = $('#saved'), live = $('#live'), source = $('#src');
const past = [], future = [], out = $('#signed-out'), go = $('#publish');
const copy = `skan-draft ${new URLSearchParams(location.search).get('draft')} ${source ? 'json' : 'form'}`;
let timer, request, dirty = false, state = snapshot();

function snapshot() { return [...new FormData(form)].filter(([n]) => n.startsWith('$') || n === 'document'); }
function restore(fields) {
  for (const [name, value] of fields) { const f = form.elements[name]; if (f) f.value = value; }
  state = fields; buttons(); send();
}
function buttons() {
  for (const [id, list] of [['undo', past], ['redo', future]]) { const b = $(`#${id}`); b.hidden = false; b.disabled = !list.length; }
}

// A browser without room for it, or that forbids it, still edits.
function keep(sent) { try { sessionStorage.setItem(copy, JSON.stringify({ etag: form.elements.etag.value, fields: state, sent })); } catch {} }
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

// The service did not take the form; a session that ended is told from anything else that it says.
async function explain(answer, word) {
  if (answer.status === 403 && await renew()) return send(word);
  unsaved(answer.status === 401 ? saved.dataset.signedOut : answer.status < 500 ? saved.dataset.notAccepted : saved.dataset.lost);
  out.hidden = answer.status !== 401;
}
// Whoever comes back from signing in finds the edits saved.
addEventListener('focus', async () => { try { if (!out.hidden && await renew()) send(); } catch {} });
addEventListener('beforeunload', e => { if (dirty) e.preventDefault(); });
form.addEventListener('submit', e => { if (e.submitter?.value === 'discard') drop(); else if (dirty) { keep(true); dirty = false; } });

// Cells and rows stay the same elements, so that the focus and the map's keys go on.
function refresh(part, html) {
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
  } else if (part === 'fields') {
    const names = e => $$('[name]', e).map(f => f.name).join();
    if (names(box) === names(next.content)) {
      for (const f of $$('[name]', next.content)) { const o = form.elements[f.name]; if (o && o !== document.activeElement) o.value = f.value; }
    } else {
      const at = document.activeElement?.name;
      box.replaceChildren(next.content);
      form.elements[at]?.focus();
    }
  } else {
    const open = $$('details', box).map(d => d.open);
    box.replaceChildren(next.content);
    $$('details', box).forEach((d, i) => { d.open = open[i] ?? d.open; });
  }
}

// An error stands at its field and its cell, in the map of the last draft without errors.
function mark(errors) {
  for (const f of $$('[name^="$"]', form)) f.setAttribute('aria-invalid', errors.some(e => e.path === f.name));
  for (const c of $$('#draftmap .cell')) {
    const wrong = errors.some(e => e.cell === c.dataset.v), sign = $('.m', c);
    c.classList.toggle('err', wrong);
    if (wrong) sign.textContent = '✕'; else if (sign.textContent === '✕') sign.textContent = c.classList.contains('wrn') ? '!' : '';
  }
  $('#shown').hidden = !errors.length || !$('#draftmap');
}

async function send(word = 'try') {
  clearTimeout(timer);
  request?.abort();
  request = new AbortController();
  const body = new URLSearchParams(new FormData(form)), sent = JSON.stringify(snapshot());
  body.set('do', word);
  live.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: request.signal });
    if (!(answer.headers.get('Content-Type') ?? '').startsWith('application/json')) { await explain(answer, word); return; }
    out.hidden = true;
    const result = await answer.json();
    if (result.superseded) return;
    if (result.rejected) { unsaved(result.rejected); return; }
    // Somebody else saved the draft: the form's own button shows both texts.
    if (result.conflict) { drop(); form.requestSubmit($('button[value="save"]', form)); return; }
    // What was typed meanwhile is sent next, and kept until that is saved.
    const isAll = JSON.stringify(snapshot()) === sent;
    form.elements.etag.value = result.etag;
    saved.textContent = result.saved ? saved.dataset.saved : saved.dataset.unsaved;
    const blocked = result.answer.errors > 0;
    for (const [part, html] of Object.entries(result.parts)) {
      if (blocked && part !== 'findings') continue;
      refresh(part, html);
    }
    // The fields are those of this text by now, so they are sent with it.
    if (!blocked && !source) form.elements.document.value = result.document;
    go.toggleAttribute('aria-disabled', blocked);
    if (blocked) { go.setAttribute('aria-disabled', 'true'); go.removeAttribute('href'); } else go.setAttribute('href', go.dataset.href);
    findings = result.answer.findings;
    mark(findings.filter(f => f.severity === 'error'));
    state = snapshot();
    if (result.saved && isAll) drop(); else keep();
  } catch (error) {
    if (error.name !== 'AbortError') unsaved(saved.dataset.lost);
  } finally { live.setAttribute('aria-busy', 'false'); }
}
let findings = [];

function edited() {
  past.push(state); future.length = 0; state = snapshot(); buttons();
  dirty = true; keep();
  saved.textContent = saved.dataset.saving;
  clearTimeout(timer); timer = setTimeout(send, 250);
}
form.addEventListener('input', edited);
form.addEventListener('keydown', e => {
  if (!e.target.matches('[data-edge]') || !['ArrowUp', 'ArrowDown'].includes(e.key)) return;
  const now = +e.target.value; if (!Number.isFinite(now) || e.target.value === '') return;
  e.preventDefault();
  const step = now < .2 ? .01 : now < 2 ? .1 : 1;
  e.target.value = +Math.max(0, now + (e.key === 'ArrowUp' ? step : -step)).toFixed(2);
  edited();
});
document.addEventListener('keydown', e => {
  if (!(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== 'z' || e.target.matches('textarea')) return;
  e.preventDefault(); $(e.shiftKey ? '#redo' : '#undo').click();
});
$('#undo').addEventListener('click', () => { if (past.length) { future.push(snapshot()); restore(past.pop()); } });
$('#redo').addEventListener('click', () => { if (future.length) { past.push(snapshot()); restore(future.pop()); } });

document.addEventListener('click', e => {
  const go = e.target.closest('[data-goto]'), repair = e.target.closest('[data-repair]');
  if (go) {
    const cell = $(`#draftmap [data-v="${go.dataset.goto}"]`);
    if (cell) { e.preventDefault(); cell.focus(); cell.click(); }
  }
  // In the text view a cure is one step that can be undone; in the form view the form itself makes it.
  const found = repair && findings[+repair.dataset.repair]?.repair;
  if (found && source) {
    e.preventDefault();
    source.value = source.value.slice(0, found.start) + found.text + source.value.slice(found.end);
    edited();
  }
});
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
  form.elements.etag.value = lost.etag;
  dirty = true;
  restore(lost.fields);
} else if (lost) drop();
