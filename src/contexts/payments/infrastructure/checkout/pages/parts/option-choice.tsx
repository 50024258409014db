import type { VNode } from 'preact';
import type { PageOption } from '../checkout-page-model.js';
import type { Messages } from '../messages/messages.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';

interface OptionChoiceProps {
  readonly action: string;
  readonly options: readonly PageOption[];
  readonly text: Messages;
}

/** One button an option: choosing takes one press, and nothing half chosen can be lost. */
export function OptionChoice({ action, options, text }: OptionChoiceProps): VNode {
  return (
    <form method="post" action={action} class="options">
      {options.map((option, index) => (
        <button
          class="option"
          id={`option-${index}`}
          name="unique_asset_id"
          value={option.uniqueAssetId}
          disabled={option.amount === undefined}
        >
          <OptionFacts option={option} text={text} />
        </button>
      ))}
    </form>
  );
}

export function OptionFacts({ option, text }: { option: PageOption; text: Messages }): VNode {
  const symbol = option.symbol;
  return (
    <>
      <span>
        <b>{symbol}</b> <span class="network">{text.onNetwork(option.networkName)}</span>
      </span>{' '}
      <span class="amount">
        {option.amount === undefined ? text.noRate : shownAsset(option.amount, symbol)}
      </span>
    </>
  );
}
