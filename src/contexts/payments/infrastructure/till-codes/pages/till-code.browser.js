// @ts-check
// Follows the current payment at the till. The server redirects to the right page. Without this script, the page refreshes itself.
(() => {
  const POLL_VISIBLE_EVERY_MS = 3_000;
  const POLL_HIDDEN_EVERY_MS = 15_000;
  const MAX_POLL_INTERVAL_MS = 60_000;
  const REQUEST_TIMEOUT_MS = 15_000;

  const main = /** @type {HTMLElement | null} */ (document.querySelector('main[data-wait]'));
  if (!main) return;
  let failures = 0;
  let isPolling = false;
  /** Earliest time of the next request, by `performance.now()`. */
  let notBefore = 0;
  /** @type {number | undefined} */
  let pollTimer;

  /** @param {string} id @param {boolean} isShown */
  function showElement(id, isShown) {
    const part = document.getElementById(id);
    if (part) part.hidden = !isShown;
  }

  /** @param {Response} answer */
  async function handleResponse(answer) {
    if (answer.status === 429) {
      notBefore = performance.now() + 1000 * (Number(answer.headers.get('retry-after')) || 10);
      return;
    }
    const { data, code } = await answer.json();
    if (answer.ok && data.checkout_session.id !== main?.dataset.shown) reopenPage();
    else if (answer.status === 404 && code === 'no_open_request') hideEndedRequest();
    else if (answer.status === 404) reopenPage();
    else if (!answer.ok) throw new Error(String(answer.status));
  }

  /** Opens the page again. A reload would resubmit a typed amount. */
  function reopenPage() {
    location.replace(location.pathname + location.search);
  }

  /** Hides the displayed request, which can no longer be paid. The page continues to wait for another request. */
  function hideEndedRequest() {
    const gone = document.getElementById('gone');
    if (!gone?.hidden) return;
    showElement('pay', false);
    showElement('gone', true);
    const news = document.getElementById('news');
    if (news) news.textContent = gone.textContent;
  }

  async function poll() {
    if (isPolling || !main || performance.now() < notBefore) return;
    isPolling = true;
    try {
      const signal = window.AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const headers = { Accept: 'application/json' };
      await handleResponse(await fetch(main.dataset.wait ?? '', { headers, signal, cache: 'no-store' }));
      failures = 0;
    } catch {
      failures += 1;
    }
    isPolling = false;
    showElement('offline', failures > 0);
    schedulePoll();
  }

  function schedulePoll() {
    window.clearTimeout(pollTimer);
    const usual = document.hidden ? POLL_HIDDEN_EVERY_MS : POLL_VISIBLE_EVERY_MS;
    const patient = Math.min(MAX_POLL_INTERVAL_MS, usual * 2 ** Math.min(failures, 5));
    pollTimer = window.setTimeout(poll, Math.max(patient, notBefore - performance.now() + 50));
  }

  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]')))
    button.hidden = false;
  document.addEventListener('visibilitychange', () => (document.hidden ? schedulePoll() : poll()));
  window.addEventListener('online', poll);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) poll();
  });
  schedulePoll();
})();
