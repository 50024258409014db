import type { VNode } from 'preact';
import { returnHref } from './page-links.js';
import type { PageView } from './page-view.js';

/** The way on once nothing more happens: back to the merchant, or the same link again. */
export function EndedState({ model, phase, text, merchant }: PageView): VNode {
  const href = returnHref(model.returnUrl);
  const isPaid = phase === 'completed' || phase === 'overpaid';
  return (
    <div class="ways">
      {href !== undefined && (
        <>
          <a class="button primary" id="return" href={href}>
            {text.backTo(merchant)}
          </a>
          {/* Shown by the browser script, which goes back by itself. */}
          <p class="pause" id="pause" hidden>
            <span data-pause={text.goingBack(merchant)} />{' '}
            <button type="button" class="button" id="stay">
              {text.stay}
            </button>
          </p>
        </>
      )}
      {model.linkCode !== undefined && (
        <form method="post" action={`/link/${encodeURIComponent(model.linkCode)}`}>
          {isPaid && <input type="hidden" name="new" value="true" />}
          <button class="button" id="again">
            {isPaid ? text.payAgain : text.startAgain}
          </button>
        </form>
      )}
      {href === undefined && <p class="note">{text.mayClose}</p>}
    </div>
  );
}
