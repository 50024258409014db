import type { VNode } from 'preact';
import type { PageView } from '../page-view.js';

/** Pays by itself on a development network. */
export function SandboxWallet({ model, text }: PageView): VNode {
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
