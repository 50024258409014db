import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { httpsHref } from '#shared/web/safe-links.js';
import type { PageView } from '../page-view.js';
import { isPaid, returnsAutomatically } from '../phase.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';

/** Seconds before the browser script returns to the merchant. WCAG 2.2.1 requires this much time to cancel. */
const PAUSE_SECONDS = 20;

/** Final state: leads back to the merchant, or to the same payment link. */
export function EndedState({ model, phase, text, merchant }: PageView): VNode {
  const href = httpsHref(model.returnUrl);
  const wasPaid = isPaid(phase);
  return (
    <div class="ways">
      {href !== undefined && (
        <>
          <a class="button primary" id="return" href={href}>
            {text.backTo(merchant)}
          </a>
          {/* Displayed by the browser script, which returns automatically. */}
          {returnsAutomatically(phase, model) && (
            <p
              class="pause"
              id="pause"
              hidden
              data-seconds={PAUSE_SECONDS}
              data-said={text.goingBackSaid(merchant, PAUSE_SECONDS)}
            >
              <span data-pause={text.goingBack(merchant)} />{' '}
              <button type="button" class="button" id="stay">
                {text.stay}
              </button>
            </p>
          )}
        </>
      )}
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

export function RefundsPart({ model, text }: PageView): VNode | null {
  if (model.refunds === undefined || model.refunds.length === 0) return null;
  return (
    <dl class="facts">
      {model.refunds.map(({ amount, symbol, arrived, transactionHash }, i) => (
        <>
          <div class="fact">
            <dt>{arrived ? text.refunded : text.refundOnItsWay}</dt>
            <dd {...EXACT}>{shownAsset(amount, symbol)}</dd>
          </div>
          {transactionHash !== undefined && (
            <Copyable id={`refund${i}`} label={text.transaction} value={transactionHash} text={text} cut />
          )}
        </>
      ))}
    </dl>
  );
}
