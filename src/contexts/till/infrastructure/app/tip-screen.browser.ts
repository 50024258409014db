import { element, filled } from '#shared/web/script/elements.browser.js';
import { byId, language, screens, showScreen, pageTexts, setText } from './page.browser.js';
import { formatPrice, sumPrices, tipOf } from './prices.browser.js';
import { appState } from './app-state.browser.js';

screens.tip = ({ total, coin, done }) => {
  showScreen('tip');
  setText('tip-total', formatPrice(total, coin, language));
  const tips = appState.shop.tips.map((percentage) => ({ percentage, tip: tipOf(total, percentage, coin) }));
  byId('tips').replaceChildren(
    ...tips.map(({ percentage, tip }) =>
      choice(
        `${percentage}\u00a0%`,
        formatPrice(tip, coin, language),
        formatPrice(sumPrices([total, tip]), coin, language),
        () => done(tip),
      ),
    ),
    choice(pageTexts.noTip, '', formatPrice(total, coin, language), () => done('0')),
  );
};

function choice(name: string, tip: string, total: string, act: () => unknown): HTMLElement {
  const button = element('button', { type: 'button', className: 'tip' }, [
    element('strong', { textContent: name }),
    element('span', { textContent: tip }),
    element('span', { className: 'note', textContent: filled(pageTexts.inAll, { amount: total }) }),
  ]);
  button.addEventListener('click', act);
  return button;
}
