import type { VNode } from 'preact';
import { TYPED_EXACTLY } from '#shared/web/parts/exact.js';
import { isolated } from '#shared/web/formatting/plain-text.js';
import type { TillCodePageModel, TillCodeText, TypedBefore } from './till-code-page-model.js';

interface AmountPadProps {
  readonly model: TillCodePageModel;
  readonly text: TillCodeText;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫'];

/** The payer types an amount. The keys require the script; without it, the device's keyboard is used. */
export function AmountPad({ model, text }: AmountPadProps): VNode {
  const { code, coins, typed, merchant, own } = model;
  const [first, ...others] = coins;
  const refusal = typed && refusalOf(typed, text);
  return (
    <section class="work" aria-labelledby="title">
      <form method="post" action={`/pos/${encodeURIComponent(code)}`} class="pad" data-pad>
        <h1 id="title">{text.typeAmount}</h1>
        <p class="note">{text.payHere(isolated(merchant.name))}</p>
        <label class="label" for="amount">
          {others.length === 0 ? text.amountIn(isolated(first!)) : text.amount}
        </label>
        <div class="typed">
          <input
            class="option"
            id="amount"
            name="amount"
            inputmode="decimal"
            autocomplete="off"
            {...TYPED_EXACTLY}
            required
            maxLength={40}
            placeholder="0"
            value={typed?.amount ?? ''}
            aria-invalid={refusal !== undefined}
            aria-describedby="amount-note"
          />
          {others.length === 0 ? (
            <input type="hidden" name="coin_code" value={first} />
          ) : (
            <select class="option" name="coin_code" aria-label={text.coin}>
              {coins.map((coin) => (
                <option value={coin}>{coin}</option>
              ))}
            </select>
          )}
        </div>
        <p class={refusal === undefined ? 'note' : 'warning'} id="amount-note">
          {refusal ?? text.goOnNote}
        </p>
        <div class="keys" role="group" aria-label={text.padLabel} hidden>
          {KEYS.map((key) => (
            <button
              type="button"
              class="button"
              data-key={key}
              aria-label={key === '⌫' ? text.deleteDigit : undefined}
            >
              {key}
            </button>
          ))}
        </div>
        <button class="button primary">{text.goOn}</button>
      </form>
      {own && (
        <p>
          <a class="button" href={`/checkout/${encodeURIComponent(own.sessionId)}`}>
            {text.ownPayment(isolated(`${own.amount} ${own.coinCode}`))}
          </a>
        </p>
      )}
    </section>
  );
}

function refusalOf({ rule = '' }: TypedBefore, text: TillCodeText): string {
  return text.refused[rule] ?? text.refusedOtherwise;
}
