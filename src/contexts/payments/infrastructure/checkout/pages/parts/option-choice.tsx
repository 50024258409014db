import type { VNode } from 'preact';
import type { PageOption } from '../checkout-page-model.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { shownFee, type Messages } from '../page-view.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';

interface OptionChoiceProps {
  readonly options: readonly PageOption[];
  readonly text: Messages;
  readonly language: PageLanguage;
}

/**
 * Has one button for each option, so that a choice takes one press. Posts to the page's own URL, whose query names the open payment
 * method.
 */
export function OptionChoice({ options, text, language }: OptionChoiceProps): VNode {
  return (
    <form method="post" class="options">
      {options.map((option, index) => (
        <button
          class="option"
          id={`option-${index}`}
          name="unique_asset_id"
          value={option.uniqueAssetId}
          disabled={option.amount === undefined}
        >
          <OptionFacts option={option} text={text} language={language} />
        </button>
      ))}
    </form>
  );
}

interface OptionFactsProps extends Omit<OptionChoiceProps, 'options'> {
  readonly option: PageOption;
}

export function OptionFacts({ option, text, language }: OptionFactsProps): VNode {
  const symbol = option.symbol;
  const fee = shownFee(option.networkFee, text, language);
  return (
    <>
      <span>
        <b>{symbol}</b> <span class="network">{text.onNetwork(option.networkName)}</span>
      </span>{' '}
      <span class="amount">
        {option.amount === undefined ? text.noRate : shownAsset(option.amount, symbol)}
      </span>
      {fee !== undefined && <span class="fee">{text.networkFee(fee)}</span>}
    </>
  );
}
