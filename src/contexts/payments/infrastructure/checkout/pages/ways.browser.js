// @ts-check
// Turns the links to the payment methods into tabs. The page's URL names the open method, so that it survives refreshes, form submissions
// and replaced parts.
(() => {
  const main = /** @type {HTMLElement} */ (document.querySelector('main[data-poll]'));
  if (!main) return;

  /** Notices when the wallet script reveals its section after it has found a wallet. */
  const wallets = new window.MutationObserver(openNamedTab);

  const tabs = () => /** @type {HTMLElement[]} */ ([...main.querySelectorAll('[data-way]')]);

  function openNamedTab() {
    const wallet = document.getElementById('browser-wallet');
    if (wallet) wallets.observe(wallet, { attributeFilter: ['hidden'] });
    const tabOfWallet = document.getElementById('tab-browser');
    if (tabOfWallet) tabOfWallet.hidden = wallet?.hidden ?? true;
    const named = new URL(location.href).searchParams.get('pay');
    const offered = tabs().filter((tab) => !tab.hidden);
    const chosen = offered.find((tab) => tab.dataset.way === named) ?? offered.find(isOpen) ?? offered[0];
    for (const tab of tabs()) showTab(tab, tab === chosen);
  }

  /** The server marks an open tab with `aria-current`, this script with `aria-selected`. */
  const isOpen = (tab) =>
    tab.getAttribute('aria-current') === 'true' || tab.getAttribute('aria-selected') === 'true';

  /** @param {HTMLElement} tab @param {boolean} isChosen */
  function showTab(tab, isChosen) {
    const panel = document.getElementById(`way-${tab.dataset.way}`);
    if (!panel) return;
    tab.parentElement?.setAttribute('role', 'tablist');
    tab.removeAttribute('aria-current');
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    panel.hidden = !isChosen;
  }

  /** @param {HTMLElement} tab */
  function chooseTab(tab) {
    const address = new URL(location.href);
    address.searchParams.set('pay', tab.dataset.way ?? '');
    window.history.replaceState(window.history.state, '', address);
    openNamedTab();
    tab.focus();
  }

  main.addEventListener('click', (event) => {
    const tab = /** @type {Element} */ (event.target).closest('[data-way]');
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    chooseTab(/** @type {HTMLElement} */ (tab));
  });
  main.addEventListener('keydown', (event) => {
    const tab = /** @type {HTMLElement} */ (event.target);
    if (tab.dataset.way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const offered = tabs().filter((each) => !each.hidden);
    const at = offered.indexOf(tab);
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1, ' ': at };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    chooseTab(/** @type {HTMLElement} */ (offered.at(place % offered.length)));
  });
  document.addEventListener('checkout-updated', openNamedTab);
  openNamedTab();
})();
