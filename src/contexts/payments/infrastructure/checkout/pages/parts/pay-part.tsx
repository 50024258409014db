import type { VNode } from 'preact';
import { BrowserWallet } from './browser-wallet.js';
import { ByHand } from './by-hand.js';
import { OptionChoice } from './option-choice.js';
import type { PageView } from '../page-view.js';
import { isPayable } from '../phase.js';
import { PaymentQr } from './payment-qr.js';

/** All that the payer does. Empty where nothing should be sent any more. */
export function PayPart(view: PageView): VNode {
  const { model, phase, text } = view;
  if (!isPayable(phase)) return <section id="pay" hidden />;
  const { selected } = model;
  const action = `/checkout/${encodeURIComponent(model.sessionId)}`;
  const others = model.options.filter((option) => option.uniqueAssetId !== selected?.uniqueAssetId);
  return (
    <section id="pay" aria-labelledby={selected && 'pay-title'}>
      {selected !== undefined && <h2 id="pay-title">{phase === 'partlyPaid' ? text.scanRest : text.scan}</h2>}
      {selected === undefined && (
        <>
          <OptionChoice action={action} options={model.options} text={text} />
          <p class="note">{text.chooseNote}</p>
        </>
      )}
      <PaymentQr {...view} />
      <BrowserWallet {...view} />
      {selected !== undefined && <ByHand {...view} selected={selected} />}
      {selected?.mayChange === true && others.length > 0 && (
        <details id="others" open data-fold={true}>
          <summary>{text.chooseAnother}</summary>
          <p class="note">{text.chooseAnotherNote}</p>
          <OptionChoice action={action} options={others} text={text} />
        </details>
      )}
      {model.sandbox && selected !== undefined && <SandboxWallet {...view} />}
    </section>
  );
}

/** Pays by itself on a development network. */
function SandboxWallet({ model, text }: PageView): VNode {
  const ways = [
    ['exact', text.payExact],
    ['less', text.payLess],
    ['more', text.payMore],
    ['late', text.payLate],
  ] as const;
  return (
    <form
      method="post"
      action={`/checkout/${encodeURIComponent(model.sessionId)}/sandbox-payment`}
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
