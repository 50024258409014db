import type { VNode } from 'preact';
import type { PageSelection } from '../checkout-page-model.js';
import { TransactionHash, TransactionLink } from './paid-summary.js';
import type { PageView } from '../page-view.js';
import { waitsForBlock } from '../phase.js';
import { difference, shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { roundedDuration } from '#shared/web/formatting/shown-time.js';

export function ReceivedSoFar(view: PageView): VNode | null {
  const { model, phase, text } = view;
  const { selected } = model;
  if (selected === undefined || selected.receivedAmount === '0') return null;
  const excess = difference(selected.receivedAmount, selected.amount);
  return (
    <>
      {phase === 'confirming' && <Steps {...view} selected={selected} />}
      {phase === 'closed' && <Confirmations {...view} selected={selected} />}
      <dl class="facts">
        <Fact label={text.received} value={shownAsset(selected.receivedAmount, selected.symbol)} />
        {selected.missingUnits > 0n && (
          <Fact label={text.missing} value={shownAsset(selected.missingAmount, selected.symbol)} strong />
        )}
        {excess !== '0' && <Fact label={text.tooMuch} value={shownAsset(excess, selected.symbol)} />}
        {phase !== 'partlyPaid' && <TransactionHash selected={selected} text={text} />}
      </dl>
      <TransactionLink selected={selected} text={text} />
    </>
  );
}

function Fact({ label, value, strong }: { label: string; value: string; strong?: boolean }): VNode {
  return (
    <div class={strong === true ? 'fact strong' : 'fact'}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Progress of a complete payment: seen, confirming, paid. */
function Steps(view: PageView & { selected: PageSelection }): VNode {
  const { text, phase, model } = view;
  return (
    <ol class="steps">
      <li class="done">{text.seen}</li>
      <li aria-current="step">
        {waitsForBlock(phase, model) ? text.waitingForBlock : text.beingConfirmed}
        <Confirmations {...view} />
      </li>
      <li>{text.paid}</li>
    </ol>
  );
}

function Confirmations({ selected, text, language }: PageView & { selected: PageSelection }): VNode {
  const { confirmations, requiredConfirmations: needed, confirmationSeconds } = selected;
  const done = Math.min(confirmations, needed);
  const wait = needed > 0 ? (confirmationSeconds * (needed - done)) / needed : 0;
  const shown = text.confirmations(done, needed);
  return (
    <div class="confirmations">
      <p>
        <span>{shown}</span>
        {wait > 0 && <span>{text.expectedWait(text.about(roundedDuration(wait, language)))}</span>}
      </p>
      <progress value={done} max={Math.max(1, needed)} aria-label={shown} />
    </div>
  );
}
