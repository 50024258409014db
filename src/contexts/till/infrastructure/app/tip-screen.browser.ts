import { element, filled } from '#shared/web/script/elements.browser.js';
import { byId, language, screens, show, text, write } from './page.browser.js';
import { money, sum, tipOf } from './prices.browser.js';
import { app } from './app-state.browser.js';

screens.tip = ({ total, coin, done }) => {
  show('tip');
  write('tip-total', money(total, coin, language));
  const tips = app.shop.tips.map((percentage) => ({ percentage, tip: tipOf(total, percentage, coin) }));
  byId('tips').replaceChildren(
    ...tips.map(({ percentage, tip }) =>
      choice(
        `${percentage}\u00a0%`,
        money(tip, coin, language),
        money(sum([total, tip]), coin, language),
        () => done(tip),
      ),
    ),
    choice(text.noTip, '', money(total, coin, language), () => done('0')),
  );
};

function choice(name: string, tip: string, total: string, act: () => unknown): HTMLElement {
  const button = element('button', { type: 'button', className: 'tip' }, [
    element('strong', { textContent: name }),
    element('span', { textContent: tip }),
    element('span', { className: 'note', textContent: filled(text.inAll, { amount: total }) }),
  ]);
  button.addEventListener('click', act);
  return button;
}
