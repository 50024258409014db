import type { PageLanguage } from '#shared/web/messages/languages.js';
import { shownCoin } from '#shared/web/formatting/shown-amounts.js';
import type { NetworkFeeHint } from '../checkout-page-model.js';
import type { Messages } from '../messages/messages.js';

/** "about €0.02", "less than €0.01". */
export function shownFee(
  fee: NetworkFeeHint | undefined,
  text: Messages,
  language: PageLanguage,
): string | undefined {
  if (fee === undefined) return undefined;
  const amount = shownCoin(fee.amount, fee.coinCode, language);
  return fee.isLess ? text.lessThan(amount) : text.about(amount);
}
