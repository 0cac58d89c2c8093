// Every page: settings and filters that send themselves, copy link, tree rows, menu. Nothing here is needed to read a figure.
const $ = (s, e = document) => e.querySelector(s), $$ = (s, e = document) => [...e.querySelectorAll(s)];
const root = document.documentElement;

// A choice that changes sends its form; typing does not. With keys each arrow in a closed menu and each digit of a date is a
// change, so those wait for Enter or until the focus leaves the field. An open menu has its own keys, and changes once.
const choices = '.prefs select, .scope select, .scope input[type="date"]';
let isTyped = false, waiting = null;
const send = () => { const { form } = waiting; waiting = null; form?.requestSubmit(); };
document.addEventListener('keydown', e => {
  isTyped = e.target.matches(choices) && !e.altKey && !['Enter', ' ', 'Tab'].includes(e.key);
  if (e.key === 'Enter' && waiting && e.target === waiting) { e.preventDefault(); send(); }
});
document.addEventListener('pointerdown', () => { isTyped = false; });
document.addEventListener('change', e => {
  if (!e.target.matches(choices)) return;
  waiting = e.target;
  if (!isTyped) send();
});
document.addEventListener('focusout', e => { if (e.target === waiting) send(); });
for (const button of $$('.prefs select ~ .btn')) button.hidden = true;

// An address is for sharing, so fields that are left blank do not become a part of it.
document.addEventListener('submit', e => {
  if (e.target.method !== 'get') return;
  for (const field of e.target.elements) if (field.name && field.value === '') field.disabled = true;
});
addEventListener('pageshow', () => { for (const field of $$('.scope :disabled')) field.disabled = false; });

// Below 820 px the menu and the filters are closed until someone opens them.
const narrow = matchMedia('(max-width: 820px)');
const fold = () => { for (const d of $$('.menu, .filters')) d.open = !narrow.matches && !d.closest('.focus .side'); };
narrow.addEventListener('change', fold); fold();

// A main table that fits its box scrolls with the page, so that its head stays at the top of the window.
const fits = box => box.classList.toggle('fits', box.firstElementChild.offsetWidth <= box.offsetWidth);
const boxes = new ResizeObserver(sized => { for (const { target } of sized) fits(target); });
for (const box of $$('.body > .panel > .flush > .scroll')) boxes.observe(box);

document.addEventListener('click', async e => {
  const copy = e.target.closest('[data-copy-link]');
  if (copy) {
    const old = copy.textContent;
    try { await navigator.clipboard.writeText(location.href); copy.textContent = copy.dataset.done; }
    catch { copy.textContent = copy.dataset.failed; }
    setTimeout(() => { copy.textContent = old; }, 2000);
  }
  const twist = e.target.closest('.twist');
  if (twist) {
    twist.setAttribute('aria-expanded', twist.getAttribute('aria-expanded') !== 'true');
    // A row shows while every row that it is a part of is open; parents come before their parts.
    for (const row of $$('tr[data-part-of]', twist.closest('table'))) {
      const parent = document.getElementById(row.dataset.partOf);
      row.hidden = parent.hidden || $('.twist', parent)?.getAttribute('aria-expanded') === 'false';
    }
  }
});
for (const button of $$('[data-copy-link], .twist')) button.hidden = false;

// Escape closes an open pop-over and gives the focus back.
document.addEventListener('keydown', e => {
  if (e.key !== 'Escape') return;
  const pop = e.target.closest?.('details.pop[open], .focus .menu[open]');
  if (pop) { pop.open = false; $('summary', pop).focus(); }
});

// Numbers in the reader's region: the markup carries the exact values. Days have one form, which no region reads wrongly.
const region = navigator.language.split('-').find(part => /^[A-Z]{2}$/.test(part));
const tongue = root.lang.split('-')[0], locale = region ? `${tongue}-${region}-u-nu-latn` : `${tongue}-u-nu-latn`;
// Which signs the server writes; pages have digits 0 to 9 in every language.
const point = root.dataset.point ?? '.', isDigits = point === ',' ? /^[\d.,\s%]+$/ : /^[\d,.\s%]+$/;
const parted = text => text.split(point);
// The currency behind an amount, which is taken out: the amount is shown with it.
const unit = item => {
  const next = item.nextSibling, small = item.nextElementSibling;
  if (small?.matches('small') && !next.data?.trim() && /^[A-Z]{3}$/.test(small.textContent)) { small.hidden = true; return small.textContent; }
  const found = next?.data?.match(/^\s([A-Z]{3})(?![A-Za-z])/);
  if (found) next.data = next.data.slice(found[0].length);
  return found?.[1];
};
if (region) {
  for (const item of $$('data[value]')) {
    const text = item.textContent, digits = parted(text)[1]?.match(/^\d+/)?.[0].length ?? 0;
    if (!isDigits.test(text)) continue;
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    // What is shown stays what it was: the exact value can have another unit or sign than the words around it.
    const shown = +parted(text).map(part => part.replace(/\D/g, '')).join('.'), currency = unit(item);
    // The sign stays as the server writes it, so that a page has one form.
    if (text.includes('%')) item.textContent = new Intl.NumberFormat(locale, fraction).format(shown) + text.match(/\s*%/)[0];
    // Symbol and place are the region's.
    else if (currency) item.textContent = new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction }).format(shown);
    else item.textContent = new Intl.NumberFormat(locale, fraction).format(shown);
  }
}

// Moments in the reader's time zone, beside UTC.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const item of zone === 'UTC' ? [] : $$('time[datetime*="T"]')) {
  const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  item.title = `${local.format(new Date(item.dateTime))} (${zone})`;
}
