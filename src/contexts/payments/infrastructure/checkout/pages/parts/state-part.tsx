import type { VNode } from 'preact';
import type { PageView } from '../page-view.js';
import { isEnded, isPayable, type Phase } from '../phase.js';
import { EndedState, RefundsPart } from './ended-state.js';
import { ReceivedSoFar } from './received-so-far.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { countdown, roundedDuration, secondsLeft } from '#shared/web/formatting/shown-time.js';

/** Shows the state of the payment. The heading takes the focus when the focused element goes away. */
export function StatePart(view: PageView): VNode {
  const { model, phase, text } = view;
  const left = secondsLeft(model.now, model.expiresAt);
  return (
    <section id="state" class={`state ${phase}`} aria-labelledby="status">
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
      {note(view) !== undefined && <p class={phase === 'waiting' ? 'note' : undefined}>{note(view)}</p>}
      {phase !== 'choosing' && phase !== 'waiting' && <ReceivedSoFar {...view} />}
      {isEnded(phase) && <RefundsPart {...view} />}
      {isEnded(phase) && <EndedState {...view} />}
    </section>
  );
}

export function heading({ phase, text }: PageView): string {
  return phase === 'choosing' ? text.choose : text[phase];
}

export function note({ phase, text, merchant, model, language }: PageView): string | undefined {
  const { selected } = model;
  const wait = (seconds: number): string => text.about(roundedDuration(seconds, language));
  const notes: Record<Phase, string | undefined> = {
    choosing: undefined,
    waiting: selected && text.waitingNote(wait(selected.confirmationSeconds)),
    partlyPaid: selected && text.partlyPaidNote(shownAsset(selected.missingAmount, selected.symbol)),
    confirming: text.confirmingNote,
    closed: text.closedNote,
    completed: model.status === 'underpaid' ? text.acceptedNote(merchant) : text.completedNote(merchant),
    overpaid: text.overpaidNote(merchant),
    underpaid: text.underpaidNote(merchant),
    expired: text.expiredNote(merchant),
    failed: text.failedNote(merchant),
  };
  return notes[phase];
}
