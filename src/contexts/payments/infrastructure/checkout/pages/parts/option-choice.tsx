import type { VNode } from 'preact';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { formatUngroupedAmount } from '#shared/web/formatting/shown-amounts.js';
import { AssetIcon } from '#shared/web/parts/asset-icon.js';
import type { PaymentPageModel } from '../checkout-page-model.js';
import { type PayerPageMessages, feeNote, formatFee } from '../checkout-page-props.js';
import { rankOptions, type RankedOption } from '../ranked-options.js';

interface OptionChoiceProps {
  readonly model: Pick<PaymentPageModel, 'options' | 'amount'>;
  /** Not offered again. */
  readonly selectedId?: string;
  readonly action?: string;
  readonly text: PayerPageMessages;
  readonly language: PageLanguage;
}

/** One button for each option, so that a choice takes one press. */
export function OptionChoice({ model, selectedId, action, text, language }: OptionChoiceProps): VNode {
  const { options, isSameFee } = rankOptions(model.options, model.amount);
  const fee = isSameFee ? feeNote(options[0]?.networkFee, text, language) : undefined;
  return (
    <>
      <form method="post" action={action} class="options">
        {options
          .filter(({ uniqueAssetId }) => uniqueAssetId !== selectedId)
          .map((option, index) => (
            <button
              class="option"
              id={`option-${index}`}
              name="unique_asset_id"
              value={option.uniqueAssetId}
              disabled={option.amount === undefined}
            >
              <OptionFacts option={option} text={text} language={language} hidesFee={isSameFee} />
            </button>
          ))}
      </form>
      {fee !== undefined && <p class="note">{fee}</p>}
    </>
  );
}

interface OptionFactsProps extends Pick<OptionChoiceProps, 'text' | 'language'> {
  readonly option: RankedOption;
  readonly hidesFee: boolean;
}

function OptionFacts({ option, text, language, hidesFee }: OptionFactsProps): VNode {
  const { symbol, networkName, place } = option;
  const fee = hidesFee ? undefined : formatFee(option.networkFee, text, language);
  const { coinCode, feeCoin } = option.networkFee ?? {};
  const tags = [place && text[place], option.hasLowestFee && text.lowestFee].filter(Boolean);
  return (
    <>
      <AssetIcon symbol={symbol} network={networkName} />
      <span class="named">
        <b>{symbol}</b> <span class="network">{text.onNetwork(networkName)}</span>
      </span>{' '}
      <span class="amount">
        {option.amount === undefined ? text.noRate : formatUngroupedAmount(option.amount, symbol, language)}
      </span>
      {(tags.length > 0 || fee !== undefined) && (
        <span class="fee">
          {fee !== undefined &&
            (feeCoin === undefined || feeCoin === coinCode
              ? text.networkFee(fee)
              : text.networkFeeIn(fee, feeCoin))}
          {tags.length > 0 && <span class="tag">{tags.join(' · ')}</span>}
        </span>
      )}
    </>
  );
}
