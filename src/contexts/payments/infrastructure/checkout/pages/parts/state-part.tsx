import type { VNode } from 'preact';
import type { PageView } from '../page-view.js';
import { isEnded, isPaid, isPayable, waitsForBlock, type Phase } from '../phase.js';
import { EndedState, RefundsPart } from './ended-state.js';
import { PaidSummary, ReceiptLink } from './paid-summary.js';
import { ReceivedSoFar } from './received-so-far.js';
import { difference, shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { countdown, roundedDuration, secondsLeft } from '#shared/web/formatting/shown-time.js';

/** Displays the payment's state. The heading receives the focus when the focused element disappears. */
export function StatePart(view: PageView): VNode {
  const { model, phase, text } = view;
  const left = secondsLeft(model.now, model.expiresAt);
  return (
    <section id="state" class={`state ${phase}${isEnded(phase) ? ' ended' : ''}`} aria-labelledby="status">
      <div class="line">
        <span class="mark" aria-hidden="true" />
        <h2 id="status" tabindex={-1}>
          {heading(view)}
        </h2>
        {isPayable(phase) && (
          <p class="left">
            <span class="label">{text.timeLeft}</span>{' '}
            <span role="timer" data-left>
              {countdown(left)}
            </span>
          </p>
        )}
      </div>
      {note(view) !== undefined && <p>{note(view)}</p>}
      {model.otherAssets?.map(({ amount, symbol, networkName }) => (
        <p class="note">{text.otherAsset(shownAsset(amount, symbol), networkName, view.merchant)}</p>
      ))}
      {phase !== 'choosing' && phase !== 'waiting' && !isPaid(phase) && <ReceivedSoFar {...view} />}
      {isPaid(phase) ? <PaidSummary {...view} /> : <ReceiptLink {...view} />}
      {isEnded(phase) && <RefundsPart {...view} />}
      {isEnded(phase) && <EndedState {...view} />}
    </section>
  );
}

export function heading({ phase, text, model }: PageView): string {
  if (waitsForBlock(phase, model)) return text.pending;
  return phase === 'choosing' ? text.choose : text[phase];
}

/** Explains what happens after the payment is sent. Displayed below the payment methods, so that those are visible first. */
export function waitingNote({ model, text, language }: PageView): string | undefined {
  const { selected } = model;
  return selected && text.waitingNote(text.about(roundedDuration(selected.confirmationSeconds, language)));
}

export function note({ phase, text, merchant, model }: PageView): string | undefined {
  const { selected } = model;
  const excess =
    selected && shownAsset(difference(selected.receivedAmount, selected.amount), selected.symbol);
  const notes: Record<Phase, string | undefined> = {
    choosing: undefined,
    waiting: undefined,
    partlyPaid: selected && text.partlyPaidNote(shownAsset(selected.missingAmount, selected.symbol)),
    confirming: waitsForBlock(phase, model) ? text.unconfirmedNote(merchant) : text.confirmingNote,
    closed: text.closedNote,
    completed: model.status === 'underpaid' ? text.acceptedNote(merchant) : text.completedNote(merchant),
    overpaid: excess && text.overpaidNote(excess, merchant),
    underpaid: text.underpaidNote(merchant),
    expired: text.expiredNote(merchant),
    failed: text.failedNote(merchant),
  };
  return notes[phase];
}
