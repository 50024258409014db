import type { VNode } from 'preact';
import type { CheckoutPageProps } from '../checkout-page-props.js';
import { isPayablePhase } from '../checkout-phase.js';
import { formatRoundedDuration } from '#shared/web/formatting/shown-time.js';
import { waitingNote } from './checkout-status-part.js';
import { OptionChoice } from './option-choice.js';
import { MorePaymentMethods, PaymentMethods } from './payment-methods.js';

export function PayCheckoutPart(view: CheckoutPageProps): VNode {
  const { model, phase, text, language } = view;
  if (!isPayablePhase(phase)) return <section id="pay" hidden />;
  const { selected } = model;
  return (
    <section id="pay" aria-labelledby="pay-title">
      <h2 id="pay-title" class="unseen">
        {text.howToPay}
      </h2>
      {model.way === 'code' && <MorePaymentMethods {...view} />}
      <PaymentMethods {...view} />
      {phase === 'waiting' && <p class="note">{waitingNote(view)}</p>}
      <PendingNote {...view} />
      {model.way !== 'code' && <MorePaymentMethods {...view} />}
      {selected?.mayChange === true && model.options.length > 1 && (
        <details id="others" open data-fold={true}>
          <summary>{text.chooseAnother}</summary>
          <p class="note">{text.chooseAnotherNote}</p>
          <OptionChoice model={model} selectedId={selected.uniqueAssetId} text={text} language={language} />
        </details>
      )}
      {model.sandbox && selected !== undefined && <SandboxWallet {...view} />}
    </section>
  );
}

/** Displayed only on networks that monitor pending transactions. */
function PendingNote({ model, text, language }: CheckoutPageProps): VNode | null {
  const grace = model.selected?.pendingGraceSeconds ?? 0;
  if (grace === 0) return null;
  return <p class="note">{text.pendingNote(formatRoundedDuration(grace, language))}</p>;
}

function SandboxWallet({ model, text }: CheckoutPageProps): VNode {
  const ways = [
    ['exact', text.payExact],
    ['less', text.payLess],
    ['more', text.payMore],
    ['late', text.payLate],
  ] as const;
  return (
    <form
      method="post"
      action={`/checkout/${encodeURIComponent(model.sessionId)}/sandbox-payment?pay=${model.way}`}
      class="sandbox"
      aria-labelledby="sandbox-title"
    >
      <h3 id="sandbox-title">{text.sandboxWallet}</h3>
      <p class="note">{text.sandboxWalletNote}</p>
      <div class="ways">
        {ways.map(([how, label]) => (
          <button class="button" id={`sandbox-${how}`} name="how" value={how}>
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}
