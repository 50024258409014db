import type { VNode } from 'preact';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { CheckoutPageModel } from './checkout-page-model.js';
import { OrderPart, SummaryPart } from './parts/order-part.js';
import { PAYER_PAGE_ASSETS } from './page-assets.js';
import { toCheckoutPageProps, type CheckoutPageProps } from './checkout-page-props.js';
import { PayCheckoutPart } from './parts/pay-checkout-part.js';
import { isEndedPhase, isPayablePhase, type CheckoutPhase } from './checkout-phase.js';
import {
  uncountedNotes,
  stateHeading,
  stateNote,
  CheckoutStatusPart,
  waitingNote,
} from './parts/checkout-status-part.js';
import { httpsHref } from '#shared/web/safe-links.js';
import { MAX_EMAIL_LENGTH } from '#shared/kernel/email-address.js';

export function renderCheckoutPage(model: CheckoutPageModel, language: PageLanguage): string {
  return htmlDocument(<CheckoutPage {...toCheckoutPageProps(model, language)} />);
}

/** The browser script replaces the parts whose HTML has changed, by their ids. */
function CheckoutPage(view: CheckoutPageProps): VNode {
  const { model, phase, text, language, price } = view;
  const session = encodeURIComponent(model.sessionId);
  const title = phase === 'choosing' || phase === 'waiting' ? text.toPay(price) : stateHeading(view);
  return (
    <PayerPage
      language={language}
      title={text.title(title, model.merchant.name)}
      refresh={refreshSeconds(phase)}
      assets={PAYER_PAGE_ASSETS}
      merchant={model.merchant.name}
      branding={model.branding}
      sandbox={model.sandbox}
    >
      <main
        id="checkout"
        data-poll={`/public/checkout/${session}`}
        data-etag={model.etag}
        data-news={[
          `${stateHeading(view)}.`,
          phase === 'waiting' ? waitingNote(view) : stateNote(view),
          ...uncountedNotes(view),
        ]
          .filter(Boolean)
          .join(' ')}
        data-left-ms={isPayablePhase(phase) ? model.expiresAt.getTime() - model.now.getTime() : undefined}
        data-soon={text.lastMinute}
        data-over={`${text.closed}. ${text.closedNote}`}
        data-ended={isEndedPhase(phase) ? 'true' : undefined}
        data-step={phase === 'partlyPaid' ? 'waiting' : phase}
        data-status={model.status}
        data-fulfilled={model.fulfilled || undefined}
        data-sites={model.frameOrigins.length > 0 ? model.frameOrigins.join(' ') : undefined}
      >
        <SummaryPart {...view} />
        <div class="work">
          <CheckoutStatusPart {...view} />
          <PayCheckoutPart {...view} />
          <ReceiptMailPart {...view} />
          <LeavePart {...view} />
        </div>
        <OrderPart {...view} />
      </main>
      <footer>
        {model.sandbox && <p>{text.sandboxNote}</p>}
        {!isEndedPhase(phase) && (
          <noscript>
            <p>
              <a class="button" href={`?pay=${model.way}`}>
                {text.refresh}
              </a>
            </p>
          </noscript>
        )}
        <p id="offline" hidden>
          {text.reconnecting}
        </p>
        <p id="news" class="unseen" role="status" />
      </footer>
    </PayerPage>
  );
}

/** Returns a longer interval while the payer can pay, because a refresh moves the keyboard focus and closes folds. */
function refreshSeconds(phase: CheckoutPhase): number | undefined {
  if (isEndedPhase(phase)) return undefined;
  return isPayablePhase(phase) ? 30 : 10;
}

/** A link for a payer who leaves before the end. At the end, the state has one. */
function LeavePart({ model, phase, text, merchant }: CheckoutPageProps): VNode {
  const href = isEndedPhase(phase) ? undefined : httpsHref(model.returnUrl);
  return (
    <section id="leave" hidden={href === undefined}>
      {href !== undefined && (
        <a id="back" href={href}>
          {text.backTo(merchant)}
        </a>
      )}
    </section>
  );
}

/** Does not change while the payment is confirmed. */
function ReceiptMailPart({ model, text }: CheckoutPageProps): VNode {
  const { receiptMail: state } = model;
  if (state === undefined) return <section id="mail" hidden />;
  return (
    <section id="mail" class="receipt" aria-labelledby="mail-title">
      <h3 id="mail-title">{text.mailTitle}</h3>
      {state === 'over' ? (
        <p class="note">{text.mailOver}</p>
      ) : (
        <form
          method="post"
          class="options"
          action={`/checkout/${encodeURIComponent(model.sessionId)}/receipt-mail`}
        >
          <label class="label" for="email">
            {text.mailAddress}
          </label>
          <input
            class="option"
            id="email"
            name="email"
            type="email"
            required
            maxLength={MAX_EMAIL_LENGTH}
            autocomplete="email"
            aria-invalid={state === 'invalid'}
            aria-describedby="mail-note"
          />
          <p class={state === 'invalid' ? 'warning' : 'note'} id="mail-note">
            {{ offered: text.mailNote, invalid: text.mailInvalid, asked: text.mailAsked }[state]}
          </p>
          <button class="button">{text.mailSend}</button>
        </form>
      )}
    </section>
  );
}
