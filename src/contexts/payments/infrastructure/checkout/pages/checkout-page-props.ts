import type { CheckoutPageModel, NetworkFeeHint } from './checkout-page-model.js';
import type { PageLanguage, MessageCatalogue } from '#shared/web/messages/languages.js';
import { checkoutPhaseOf, type CheckoutPhase } from './checkout-phase.js';
import { english, type CheckoutMessages } from './messages/messages.en.js';
import { spanish } from './messages/messages.es.js';
import { portuguese } from './messages/messages.pt.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { formatCoinAmount } from '#shared/web/formatting/shown-amounts.js';
import { SHARED_MESSAGES, type SharedMessages } from '#shared/web/messages/shared-messages.js';

export type PayerPageMessages = CheckoutMessages & SharedMessages;

export const PAYER_PAGE_MESSAGES: MessageCatalogue<PayerPageMessages> = {
  en: { ...SHARED_MESSAGES.en, ...english },
  es: { ...SHARED_MESSAGES.es, ...spanish },
  pt: { ...SHARED_MESSAGES.pt, ...portuguese },
};

export interface CheckoutPageProps {
  readonly model: CheckoutPageModel;
  readonly phase: CheckoutPhase;
  readonly language: PageLanguage;
  readonly text: PayerPageMessages;
  /** The text direction is isolated, for use within a sentence. */
  readonly merchant: string;
  readonly price: string;
}

export function toCheckoutPageProps(source: CheckoutPageModel, language: PageLanguage): CheckoutPageProps {
  const model = stripDirectionControls(source);
  return {
    model,
    phase: checkoutPhaseOf(model),
    language,
    text: PAYER_PAGE_MESSAGES[language],
    merchant: isolateTextDirection(model.merchant.name),
    price: formatCoinAmount(model.amount, model.coinCode, language),
  };
}

/** The current fee, and the coin that a wallet needs to pay it. */
export function feeNote(
  fee: NetworkFeeHint | undefined,
  text: PayerPageMessages,
  language: PageLanguage,
): string | undefined {
  const amount = formatFee(fee, text, language);
  if (amount === undefined) return undefined;
  const note = text.feeNow(amount);
  return fee?.feeCoin === undefined ? note : `${note} ${text.feeCoin(isolateTextDirection(fee.feeCoin))}`;
}

/** For example "about €0.02" or "less than €0.01". */
export function formatFee(
  fee: NetworkFeeHint | undefined,
  text: PayerPageMessages,
  language: PageLanguage,
): string | undefined {
  if (fee === undefined) return undefined;
  const amount = formatCoinAmount(fee.amount, fee.coinCode, language);
  return fee.isLess ? text.lessThan(amount) : text.about(amount);
}
