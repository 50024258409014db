import type { VNode } from 'preact';
import type { CheckoutPageProps } from '../checkout-page-props.js';
import {
  isEndedPhase,
  isPaidPhase,
  isPayablePhase,
  type CheckoutPhase,
  returnsAutomatically,
  waitsForBlock,
} from '../checkout-phase.js';
import { PaidSummary, ReceiptLink, ReceivedSoFar } from './paid-summary.js';
import { subtractDecimals, formatUngroupedAmount } from '#shared/web/formatting/shown-amounts.js';
import { formatCountdown, formatRoundedDuration, secondsLeft } from '#shared/web/formatting/shown-time.js';
import { isolateTextDirection } from '#shared/web/formatting/plain-text.js';
import { Copyable, NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { httpsHref } from '#shared/web/safe-links.js';

/** The heading receives the focus when the focused element disappears. */
export function CheckoutStatusPart(view: CheckoutPageProps): VNode {
  const { model, phase, text } = view;
  const left = secondsLeft(model.now, model.expiresAt);
  return (
    <section
      id="state"
      class={`state ${phase}${isEndedPhase(phase) ? ' ended' : ''}`}
      aria-labelledby="status"
    >
      <div class="line">
        <span class="mark" aria-hidden="true" />
        <h2 id="status" tabindex={-1}>
          {stateHeading(view)}
        </h2>
        {isPayablePhase(phase) && (
          <p class="left">
            <span class="label">{text.timeLeft}</span>{' '}
            <span role="timer" data-left>
              {formatCountdown(left)}
            </span>
          </p>
        )}
      </div>
      {stateNote(view) !== undefined && <p>{stateNote(view)}</p>}
      <UncountedPart {...view} />
      {phase !== 'choosing' && phase !== 'waiting' && !isPaidPhase(phase) && <ReceivedSoFar {...view} />}
      {isPaidPhase(phase) ? <PaidSummary {...view} /> : <ReceiptLink {...view} />}
      {isEndedPhase(phase) && <RefundsPart {...view} />}
      {isEndedPhase(phase) && !isPaidPhase(phase) && (
        <dl class="facts">
          <Copyable id="reference" label={text.reference} value={model.reference} text={text} />
        </dl>
      )}
      {isEndedPhase(phase) && <EndedState {...view} />}
    </section>
  );
}

export function stateHeading({ phase, text, model }: CheckoutPageProps): string {
  if (waitsForBlock(phase, model)) return text.pending;
  return phase === 'choosing' ? text.choose : text[phase];
}

/** Displayed below the payment methods, for the time after the payer has sent the payment. */
export function waitingNote({ model, text, language }: CheckoutPageProps): string | undefined {
  const { selected } = model;
  return (
    selected && text.waitingNote(text.about(formatRoundedDuration(selected.confirmationSeconds, language)))
  );
}

export function stateNote({ phase, text, merchant, model, language }: CheckoutPageProps): string | undefined {
  const { selected } = model;
  const excess =
    selected &&
    formatUngroupedAmount(
      subtractDecimals(selected.receivedAmount, selected.amount),
      selected.symbol,
      language,
    );
  const notes: Record<CheckoutPhase, string | undefined> = {
    choosing: undefined,
    waiting: undefined,
    partlyPaid:
      selected &&
      text.partlyPaidNote(formatUngroupedAmount(selected.missingAmount, selected.symbol, language)),
    confirming: waitsForBlock(phase, model) ? text.unconfirmedNote(merchant) : text.confirmingNote,
    closed: text.closedNote,
    completed: model.status === 'underpaid' ? text.acceptedNote(merchant) : text.completedNote(merchant),
    overpaid: excess && text.overpaidNote(excess, merchant),
    underpaid: text.underpaidNote(merchant),
    expired: model.uncounted?.length ? text.sendNothing : text.expiredNote(merchant),
    failed: text.failedNote(merchant),
  };
  return notes[phase];
}

export function uncountedNotes({ model, text, language }: CheckoutPageProps): string[] {
  return (model.uncounted ?? []).map(({ amount, symbol, networkName }) =>
    text.otherAsset(formatUngroupedAmount(amount, symbol, language), isolateTextDirection(networkName)),
  );
}

/** Funds received in other assets than the selected one, or after the end. */
function UncountedPart(view: CheckoutPageProps): VNode | null {
  const { model, phase, text, merchant, language } = view;
  const { selected } = model;
  const notes = uncountedNotes(view);
  if (notes.length === 0) return null;
  return (
    <div class="warning other">
      <h3>{text.otherTitle}</h3>
      {notes.map((note) => (
        <p>{note}</p>
      ))}
      {selected !== undefined && isPayablePhase(phase) && (
        <p>
          {text.otherPay(
            formatUngroupedAmount(selected.missingAmount, selected.symbol, language),
            isolateTextDirection(selected.networkName),
          )}
        </p>
      )}
      {!model.refunds?.length && <p>{text.otherRefund(merchant)}</p>}
      <ContactButton {...view} />
      {!isEndedPhase(phase) && (
        <dl class="facts">
          <Copyable id="reference" label={text.reference} value={model.reference} text={text} />
        </dl>
      )}
    </div>
  );
}

/** The subject of an email contains the payment number. */
function ContactButton({ model: { branding, reference }, text, merchant }: CheckoutPageProps): VNode | null {
  const href = branding?.supportHref;
  if (href === undefined) return null;
  const subject = href.startsWith('mailto:')
    ? `?subject=${encodeURIComponent(`${text.reference} ${reference}`)}`
    : '';
  return (
    <a class="button" href={href + subject} target="_blank" rel="noreferrer">
      {text.contact(merchant)}
    </a>
  );
}

/** WCAG 2.2.1 requires this much time to cancel. */
const RETURN_AFTER_SECONDS = 20;

/** Links to the payment link if the session was opened with one. */
function EndedState(view: CheckoutPageProps): VNode {
  const { model, phase, text, merchant } = view;
  const href = httpsHref(model.returnUrl);
  const wasPaid = isPaidPhase(phase);
  return (
    <div class="ways">
      {href !== undefined && (
        <>
          <a class="button primary" id="return" href={href}>
            {text.backTo(merchant)}
          </a>
          {/* The browser script displays this countdown and then returns to the merchant. */}
          {returnsAutomatically(phase, model) && (
            <p
              class="pause"
              id="pause"
              hidden
              data-seconds={RETURN_AFTER_SECONDS}
              data-said={text.goingBackSaid(merchant, RETURN_AFTER_SECONDS)}
            >
              <span data-pause={text.goingBack(merchant)} />{' '}
              <button type="button" class="button" id="stay">
                {text.stay}
              </button>
            </p>
          )}
        </>
      )}
      {phase !== 'completed' && !model.uncounted?.length && <ContactButton {...view} />}
      {model.linkCode !== undefined && (
        <form method="post" action={`/link/${encodeURIComponent(model.linkCode)}`}>
          {wasPaid && <input type="hidden" name="new" value="true" />}
          <button class="button" id="again">
            {wasPaid ? text.payAgain : text.startAgain}
          </button>
        </form>
      )}
      {href === undefined && <p class="note">{text.mayClose}</p>}
    </div>
  );
}

function RefundsPart({ model, text, language }: CheckoutPageProps): VNode | null {
  if (model.refunds === undefined || model.refunds.length === 0) return null;
  return (
    <dl class="facts">
      {model.refunds.map(({ amount, symbol, arrived, transactionHash }, i) => (
        <>
          <div class="fact">
            <dt>{arrived ? text.refunded : text.refundOnItsWay}</dt>
            <dd {...NOT_TRANSLATED}>{formatUngroupedAmount(amount, symbol, language)}</dd>
          </div>
          {transactionHash !== undefined && (
            <Copyable id={`refund${i}`} label={text.transaction} value={transactionHash} text={text} cut />
          )}
        </>
      ))}
    </dl>
  );
}
