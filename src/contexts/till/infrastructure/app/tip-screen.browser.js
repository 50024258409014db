// @ts-check
// The payer chooses a tip.
import { element, filled } from '#shared/web/script/elements.browser.js';
import { byId, language, screens, show, text, write } from './page.browser.js';
import { money, sum, tipOf } from './prices.browser.js';
import { shop } from './shop.browser.js';

/** @param {{ total: string, coin: string, done: (tip: string) => unknown }} sale */
screens.tip = ({ total, coin, done }) => {
  show('tip');
  write('tip-total', money(total, coin, language));
  const choices = shop.tips.map((percentage) => ({ percentage, tip: tipOf(total, percentage, coin) }));
  byId('tips').replaceChildren(
    ...choices.map(({ percentage, tip }) =>
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

/** @param {string} name @param {string} tip @param {string} all @param {() => unknown} act */
function choice(name, tip, all, act) {
  const button = element('button', { type: 'button', className: 'tip' }, [
    element('strong', { textContent: name }),
    element('span', { textContent: tip }),
    element('span', { className: 'note', textContent: filled(text.inAll, { amount: all }) }),
  ]);
  button.addEventListener('click', act);
  return button;
}
