import { answerFromView, CountField, AnswerField } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { FINALITY_TAGS, type FinalityTag } from '#shared/kernel/asset.js';
import type { AssetView } from '../../application/list-assets.js';

export class AmountDepthDto {
  @AnswerField(
    'Largest amount of this step, in whole units of the asset. Absent for the last step, which covers all ' +
      'larger amounts.',
    { required: false, example: '0.01' },
  )
  up_to?: string;

  @CountField('Number of confirmations required for amounts up to `up_to`.', { example: 1 })
  confirmations!: number;

  @AnswerField(
    'Present if a payment of this size is final only when its network marks the block as `safe` or `finalized`. ' +
      '`confirmations` is then the usual number.',
    { enum: [...FINALITY_TAGS], enumName: 'FinalityTag', required: false },
  )
  tag?: FinalityTag;
}

export class AssetDto {
  @AnswerField(
    'Unique id of the asset on its network. Payment requests and payment options refer to the asset by this ' +
      'id.',
    { example: 'nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7' },
  )
  unique_asset_id!: string;

  @AnswerField('Symbol of the asset.', { example: 'USDT' })
  symbol!: string;

  @AnswerField('Display name of the asset.', { example: 'Tether USD' })
  name!: string;

  @AnswerField({
    type: 'integer',
    description: 'Maximum number of decimal places of an amount.',
    example: 6,
    minimum: 0,
    maximum: 255,
  })
  decimals!: number;

  @AnswerField(
    'Network id, such as `polygon`, or `erc20` for Ethereum. It is the name of the network in NASPIP.',
    {
      example: 'erc20',
    },
  )
  network!: string;

  @AnswerField('Display name of the network.', { example: 'Ethereum' })
  network_name!: string;

  @AnswerField('Smallest amount that can be requested, in whole units of the asset.', { example: '0.01' })
  minimum_amount!: string;

  @AnswerField({
    type: 'integer',
    description:
      'Number of confirmations after which a payment of any size is final. On a network that reports finality ' +
      'itself, the number that is usually needed.',
    example: 12,
    minimum: 0,
  })
  required_confirmations!: number;

  @AnswerField(
    'Confirmations required for different amounts, in ascending order. The number depends on the ' +
      'requested amount or the amount of the transfer, whichever is larger. For an asset without a fixed ' +
      'value, it depends on the rate of the payment, and this is the largest requirement. Absent if all ' +
      'amounts require the same number.',
    { required: false, type: [AmountDepthDto] },
  )
  confirmations_by_amount?: AmountDepthDto[];
}

export function presentAsset({ depths, ...asset }: AssetView): AssetDto {
  return answerFromView(AssetDto, asset, {
    minimum_amount: formatAmount(asset.minimumAmount, asset.decimals),
    confirmations_by_amount: depths?.map(({ upTo, ...requirement }) => ({
      ...(upTo !== undefined && { up_to: formatAmount(upTo, asset.decimals) }),
      ...requirement,
    })),
  });
}
