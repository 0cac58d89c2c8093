// A part of the page that is fetched again every few seconds; the server answers 304 while nothing is new.
const usual = 5000, longest = 60000;
for (const box of document.querySelectorAll('[data-live]')) {
  const content = box.querySelector('[data-live-content]'), lost = box.querySelector('[data-lost]');
  let tag = `"${box.dataset.tag}"`, wait = usual;
  const show = text => {
    const old = content.querySelector('.scroll')?.scrollLeft ?? 0, open = [...content.querySelectorAll('details')].map(d => d.open);
    content.innerHTML = text;
    const scroll = content.querySelector('.scroll'); if (scroll) scroll.scrollLeft = old;
    content.querySelectorAll('details').forEach((d, i) => { d.open = open[i] ?? false; });
  };
  const look = async () => {
    // Someone who reads a row must not lose it; a page in the background needs nothing new.
    if (!document.hidden && !content.contains(document.activeElement)) {
      try {
        const answer = await fetch(box.dataset.live, { headers: { 'If-None-Match': tag }, cache: 'no-store', redirect: 'error' });
        if (answer.status === 200) { show(await answer.text()); tag = answer.headers.get('ETag') ?? tag; }
        else if (answer.status !== 304) throw new Error(answer.status);
        lost.hidden = true; wait = usual;
      } catch { lost.hidden = false; wait = Math.min(wait * 2, longest); }
    }
    setTimeout(look, wait);
  };
  setTimeout(look, wait);
}
