import { OmitType } from '@nestjs/swagger';
import { CountField, AnswerField, TimestampField } from '#shared/platform/http/answers/answer.js';
import { EXAMPLE_ASSET, IsUniqueAssetId } from '#shared/platform/http/validation/shared-fields.js';

export class SelectAssetBody {
  @IsUniqueAssetId('Unique id of the asset to pay with. Must be one of the `payment_options`.')
  unique_asset_id!: string;
}

export class PaymentOptionDto {
  @AnswerField('Unique id of the asset on its network.', { example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'erc20' })
  network!: string;

  @AnswerField('Symbol of the asset.', { example: 'USDC' })
  symbol!: string;

  @AnswerField({
    required: false,
    example: '13.520004',
    description:
      'Amount to pay, in whole units of the asset, rounded up. It is computed at the locked rate for the ' +
      'selected asset, and at the current rate for all other assets. Absent if there is no rate, or if the ' +
      'asset can no longer be selected.',
  })
  amount?: string;
}

export class LockedRateDto {
  @AnswerField('Price of one whole unit of the asset, in `coin_code`.', { example: '0.924556' })
  price!: string;

  @AnswerField({
    type: [String],
    example: ['coinbase', 'kraken'],
    description:
      'Sources of the rate. The source is `peg` if the operator has pegged the asset to the currency.',
  })
  sources!: readonly string[];

  @TimestampField('Time when the rate was quoted.')
  at!: string;
}

export class TokenDomainDto {
  @AnswerField('`name` of the EIP-712 domain.', { example: 'USD Coin' })
  name!: string;

  @AnswerField('`version` of the EIP-712 domain.', { example: '2' })
  version!: string;

  @AnswerField('`chainId` of the EIP-712 domain (EIP-155).', { type: 'integer', example: 1 })
  chain_id!: number;

  @AnswerField('`verifyingContract` of the EIP-712 domain (EIP-55).', {
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  verifying_contract!: string;
}

/** EIP-3009 `TransferWithAuthorization`. */
export class SignaturePaymentDto {
  @AnswerField('Address of the token contract (EIP-55).', {
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  token!: string;

  @AnswerField('EIP-712 domain of the token, as its contract defines it.')
  domain!: TokenDomainDto;

  @AnswerField('`to` of the message: the deposit address (EIP-55).', {
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  to!: string;

  @AnswerField('`value` of the message: the remaining amount, in the smallest unit of the token.', {
    example: '3520004',
  })
  value!: string;
}

export class SelectedAssetDto extends OmitType(PaymentOptionDto, ['amount'] as const) {
  @AnswerField('Amount to pay, in whole units of the asset.', { example: '13.520004' })
  amount!: string;

  @AnswerField('Deposit address, used only for this checkout (EIP-55).', {
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  address!: string;

  @AnswerField(
    'Amount received so far, including transfers that are not final, in whole units of the asset.',
    {
      example: '10',
    },
  )
  received_amount!: string;

  @AnswerField('Amount still to pay, in whole units of the asset. `0` once enough has been received.', {
    example: '3.520004',
  })
  missing_amount!: string;

  @CountField(
    'Confirmations of the latest counted transfer, at most `required_confirmations`. 0 until a transfer is ' +
      'seen.',
    { example: 3 },
  )
  confirmations!: number;

  @CountField('Number of confirmations at which the latest counted transfer is final.', { example: 12 })
  required_confirmations!: number;

  @AnswerField('Transaction hash of the latest counted transfer. Absent until a transfer is seen.', {
    required: false,
    example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  })
  transaction_hash?: string;

  @AnswerField(
    'Exchange rate, which was locked when the asset was first selected. Absent if the price is in the asset ' +
      'itself.',
    { required: false },
  )
  rate?: LockedRateDto;

  @AnswerField(
    'Message that the payer can sign to pay without holding native coin for gas. Send the signature to `POST ' +
      '/public/checkout/{sessionId}/authorization`, and the service sends the transfer and pays the network ' +
      'fee. Absent if the asset or the operator does not support payment by signature, or if nothing remains ' +
      'to be paid.',
    { required: false },
  )
  signature_payment?: SignaturePaymentDto;
}

export class OtherAssetDto {
  @AnswerField('Unique id of the asset received.', {
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  })
  unique_asset_id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @AnswerField('Symbol of the asset received.', { example: 'USDC' })
  symbol!: string;

  @AnswerField('Total received, in whole units of the asset.', { example: '10' })
  amount!: string;
}
