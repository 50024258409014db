// @ts-check
// Keeps the checkout page up to date. The server renders every state; this script only replaces the parts that changed. Without it, the
// page refreshes itself.
(() => {
  const POLL_VISIBLE_EVERY_MS = 3_000;
  const POLL_HIDDEN_EVERY_MS = 15_000;
  const MAX_POLL_INTERVAL_MS = 60_000;
  const REQUEST_TIMEOUT_MS = 15_000;

  const main = /** @type {HTMLElement} */ (document.querySelector('main[data-poll]'));

  /** HTML of each part as the server sent it, before any script changed it. */
  const served = new Map();
  let deadline = 0;
  let isOver = false;
  let hasAnnouncedDeadline = false;
  let failures = 0;
  let isPolling = false;
  /** Earliest time of the next request, by `performance.now()`. */
  let notBefore = 0;
  let clockDifference = Date.now() - performance.now();
  /** @type {number | undefined} */
  let pollTimer;
  /** @type {number | undefined} */
  let returnTimer;

  /** @param {string} id */
  const byId = (id) => document.getElementById(id);
  /** @param {ParentNode} root @param {string} selector */
  const all = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

  /** @param {string | undefined} text */
  function announce(text) {
    const news = byId('news');
    if (news && text) news.textContent = text;
  }

  /** @param {HTMLElement} part */
  function prepareControls(part) {
    for (const button of all(part, '[data-copy], [data-print]')) button.hidden = false;
    for (const fold of all(part, 'details[data-fold="true"]')) fold.removeAttribute('open');
  }

  /** Returns the top-level sections; a nested section is not a part. */
  const partsOf = (root) =>
    all(root, 'section[id]').filter((section) => !section.parentElement?.closest('section[id]'));

  /** Sets the deadline by the server's clock, because the device's clock may be wrong. */
  function setDeadline(renderedBy) {
    const left = main.dataset.leftMs;
    deadline = left === undefined ? 0 : renderedBy + Number(left);
    isOver = false;
    main.classList.remove('over');
    updateCountdown();
  }

  function updateCountdown() {
    const apart = Date.now() - performance.now();
    // The device was asleep, and its monotonic clock may have stopped, so the script polls immediately.
    if (Math.abs(apart - clockDifference) > 5_000) {
      clockDifference = apart;
      main.dataset.etag = '';
      pollState();
    }
    if (!deadline || isOver) return;
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    const parts = [Math.floor(left / 60) % 60, left % 60].map((part) => String(part).padStart(2, '0'));
    const hours = Math.floor(left / 3600);
    const shown = hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/, '');
    for (const clock of all(main, '[data-left]')) clock.textContent = shown;
    if (left <= 60 && left > 0 && !hasAnnouncedDeadline) {
      hasAnnouncedDeadline = true;
      announce(main.dataset.soon);
    }
    if (left === 0) hidePaymentDetails();
  }

  /** Hides the payment details after the deadline, even if the server cannot be reached. */
  function hidePaymentDetails() {
    isOver = true;
    const status = byId('status');
    if (byId('pay')?.contains(document.activeElement)) status?.focus();
    main.classList.add('over');
    if (status) status.textContent = main.dataset.over ?? '';
    announce(main.dataset.over);
    main.dataset.etag = '';
    pollState();
  }

  /** @param {HTMLElement} fresh @param {number} renderedBy */
  function replaceChangedParts(fresh, renderedBy) {
    const { news, step } = main.dataset;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const opened = new Set(all(main, 'details[open]').map(({ id }) => id));
    const folded = new Set(all(main, 'details:not([open])').map(({ id }) => id));
    for (const part of partsOf(fresh)) {
      const html = part.outerHTML;
      const old = byId(part.id);
      if (!old || (served.get(part.id) === html && !isOver)) continue;
      served.set(part.id, html);
      prepareControls(part);
      for (const fold of all(part, 'details')) {
        if (opened.has(fold.id)) fold.setAttribute('open', '');
        if (folded.has(fold.id)) fold.removeAttribute('open');
      }
      const inner = part.querySelector('section[id]');
      const kept = inner && old.querySelector(`#${inner.id}`);
      // Keeps a nested section that another script changed, unless the server sent a new version of that section.
      if (inner && served.get(inner.id) === inner.outerHTML && kept) inner.replaceWith(kept);
      else if (inner) served.set(inner.id, inner.outerHTML);
      old.replaceWith(document.adoptNode(part));
    }
    for (const name of Object.keys(main.dataset)) if (!(name in fresh.dataset)) delete main.dataset[name];
    Object.assign(main.dataset, fresh.dataset);
    document.title = fresh.ownerDocument.title || document.title;
    // Other scripts update the new parts before the focus is restored.
    document.dispatchEvent(new window.Event('checkout-updated'));
    // A screen reader continues at the heading of a new step. The payer may be typing an email address.
    if (main.dataset.step !== step && !main.querySelector('input:focus')) byId('status')?.focus();
    else if (focused && document.activeElement !== focused) {
      const place = focused.isConnected ? focused : (byId(focused.id) ?? byId('status'));
      place?.focus({ preventScroll: true });
    }
    if (main.dataset.news !== news) announce(main.dataset.news);
    setDeadline(renderedBy);
    returnToMerchantSoon();
  }

  /** Returns to the merchant after a pause, unless the payer cancels. */
  function returnToMerchantSoon() {
    const way = /** @type {HTMLAnchorElement | null} */ (byId('return'));
    const text = document.querySelector('[data-pause]');
    const row = byId('pause');
    // A payer who came back with the browser's back button stays on the page.
    const [visit] = performance.getEntriesByType('navigation');
    const cameBack = /** @type {{ type?: string } | undefined} */ (visit)?.type === 'back_forward';
    if (!way || !text || !row || returnTimer !== undefined || cameBack || main.querySelector('input:focus'))
      return;
    let left = Number(row.dataset.seconds);
    const count = () => {
      text.textContent = (text.getAttribute('data-pause') ?? '').replace('{seconds}', String(left--));
      if (left >= 0) return;
      stay();
      way.click();
    };
    const stay = () => {
      window.clearInterval(returnTimer);
      row.hidden = true;
    };
    row.hidden = false;
    window.addEventListener('beforeprint', stay);
    window.addEventListener('focusin', stay);
    byId('stay')?.addEventListener('click', () => {
      stay();
      way.focus();
    });
    count();
    announce(`${main.dataset.news} ${row.dataset.said}`);
    returnTimer = window.setInterval(count, 1000);
  }

  /** @param {string} url @param {Record<string, string>} headers */
  async function fetchUncached(url, headers) {
    const signal = window.AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(url, { headers, signal, cache: 'no-store', credentials: 'same-origin' });
    if (answer.status === 429)
      notBefore = performance.now() + 1000 * (Number(answer.headers.get('retry-after')) || 10);
    return answer;
  }

  async function pollState() {
    if (isPolling || main.dataset.ended || performance.now() < notBefore) return;
    isPolling = true;
    try {
      await fetchChanges();
      failures = 0;
    } catch {
      failures += 1;
    }
    isPolling = false;
    const offline = byId('offline');
    if (offline) offline.hidden = failures === 0;
    schedulePoll();
  }

  function schedulePoll() {
    window.clearTimeout(pollTimer);
    if (main.dataset.ended) return;
    const usual = document.hidden ? POLL_HIDDEN_EVERY_MS : POLL_VISIBLE_EVERY_MS;
    const patient = Math.min(MAX_POLL_INTERVAL_MS, usual * 2 ** Math.min(failures, 5));
    pollTimer = window.setTimeout(pollState, Math.max(patient, notBefore - performance.now() + 50));
  }

  async function fetchChanges() {
    const { poll = '', etag } = main.dataset;
    const answer = await fetchUncached(poll, etag ? { 'If-None-Match': etag } : {});
    if ([304, 429].includes(answer.status)) return;
    if ([404, 409, 410].includes(answer.status)) return reloadOnce();
    if (!answer.ok) throw new Error(String(answer.status));
    const renderedBy = performance.now();
    const page = await fetchUncached(location.href, { Accept: 'text/html' });
    if (page.status === 429) return;
    if (!page.ok) throw new Error(String(page.status));
    const fresh = new DOMParser()
      .parseFromString(await page.text(), 'text/html')
      .querySelector('main[data-poll]');
    if (!fresh) return reloadOnce();
    replaceChangedParts(/** @type {HTMLElement} */ (fresh), renderedBy);
  }

  /** Reloads at most once. The state survives only a reload, so that a page that stays broken is not reloaded forever. */
  function reloadOnce() {
    if (window.history.state?.reloaded) throw new Error('reloaded before');
    window.history.replaceState({ reloaded: true }, '');
    location.reload();
  }

  if (!main) return;
  for (const section of all(main, 'section[id]')) served.set(section.id, section.outerHTML);
  prepareControls(main);
  main.addEventListener('click', (event) => {
    if (/** @type {Element} */ (event.target).closest('[data-print]')) window.print();
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? schedulePoll() : pollState()));
  window.addEventListener('online', pollState);
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    main.dataset.etag = '';
    pollState();
  });
  setDeadline(performance.now());
  setInterval(updateCountdown, 1000);
  schedulePoll();
  returnToMerchantSoon();
})();
