// @ts-check
// Follows the current payment at the till. The server redirects to the right page. Without this script, the page refreshes itself.
(() => {
  const SEEN = 3_000;
  const UNSEEN = 15_000;
  const LONGEST = 60_000;
  const PATIENCE = 15_000;

  const main = /** @type {HTMLElement | null} */ (document.querySelector('main[data-wait]'));
  if (!main) return;
  let failures = 0;
  let isAsking = false;
  /** Earliest time of the next request, by `performance.now()`. */
  let notBefore = 0;
  /** @type {number | undefined} */
  let next;

  /** @param {string} id @param {boolean} isShown */
  function show(id, isShown) {
    const part = document.getElementById(id);
    if (part) part.hidden = !isShown;
  }

  /** @param {Response} answer */
  async function take(answer) {
    if (answer.status === 429) {
      notBefore = performance.now() + 1000 * (Number(answer.headers.get('retry-after')) || 10);
      return;
    }
    const { data, code } = await answer.json();
    if (answer.ok && data.checkout_session.id !== main?.dataset.shown) openAnew();
    else if (answer.status === 404 && code === 'no_open_request') end();
    else if (answer.status === 404) openAnew();
    else if (!answer.ok) throw new Error(String(answer.status));
  }

  /** Opens the page again. A reload would resubmit a typed amount. */
  function openAnew() {
    location.replace(location.pathname + location.search);
  }

  /** Hides the displayed request, which can no longer be paid. The page continues to wait for another request. */
  function end() {
    const gone = document.getElementById('gone');
    if (!gone?.hidden) return;
    show('pay', false);
    show('gone', true);
    const news = document.getElementById('news');
    if (news) news.textContent = gone.textContent;
  }

  async function ask() {
    if (isAsking || !main || performance.now() < notBefore) return;
    isAsking = true;
    try {
      const signal = window.AbortSignal.timeout(PATIENCE);
      const headers = { Accept: 'application/json' };
      await take(await fetch(main.dataset.wait ?? '', { headers, signal, cache: 'no-store' }));
      failures = 0;
    } catch {
      failures += 1;
    }
    isAsking = false;
    show('offline', failures > 0);
    askLater();
  }

  function askLater() {
    window.clearTimeout(next);
    const usual = document.hidden ? UNSEEN : SEEN;
    const patient = Math.min(LONGEST, usual * 2 ** Math.min(failures, 5));
    next = window.setTimeout(ask, Math.max(patient, notBefore - performance.now() + 50));
  }

  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]')))
    button.hidden = false;
  document.addEventListener('visibilitychange', () => (document.hidden ? askLater() : ask()));
  window.addEventListener('online', ask);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) ask();
  });
  askLater();
})();
