import type { CheckoutPageModel, NetworkFeeHint } from './checkout-page-model.js';
import type { PageLanguage, Catalogue } from '#shared/web/messages/languages.js';
import { phaseOf, type Phase } from './phase.js';
import { english, type CheckoutMessages } from './messages/messages.en.js';
import { spanish } from './messages/messages.es.js';
import { portuguese } from './messages/messages.pt.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { formatCoin } from '#shared/web/formatting/shown-amounts.js';
import { SHARED_MESSAGES, type SharedMessages } from '#shared/web/messages/shared-messages.js';

export type Messages = CheckoutMessages & SharedMessages;

export const MESSAGES: Catalogue<Messages> = {
  en: { ...SHARED_MESSAGES.en, ...english },
  es: { ...SHARED_MESSAGES.es, ...spanish },
  pt: { ...SHARED_MESSAGES.pt, ...portuguese },
};

export interface PageView {
  readonly model: CheckoutPageModel;
  readonly phase: Phase;
  readonly language: PageLanguage;
  readonly text: Messages;
  /** The text direction is isolated, for use within a sentence. */
  readonly merchant: string;
  readonly price: string;
}

export function pageView(source: CheckoutPageModel, language: PageLanguage): PageView {
  const model = stripDirectionControls(source);
  return {
    model,
    phase: phaseOf(model),
    language,
    text: MESSAGES[language],
    merchant: isolateTextDirection(model.merchant.name),
    price: formatCoin(model.amount, model.coinCode, language),
  };
}

/** The current fee, and the coin that a wallet needs to pay it. */
export function feeNote(
  fee: NetworkFeeHint | undefined,
  text: Messages,
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
  text: Messages,
  language: PageLanguage,
): string | undefined {
  if (fee === undefined) return undefined;
  const amount = formatCoin(fee.amount, fee.coinCode, language);
  return fee.isLess ? text.lessThan(amount) : text.about(amount);
}
