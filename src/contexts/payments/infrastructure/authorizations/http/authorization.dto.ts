import { AnswerField } from '#shared/platform/http/answers/answer.js';
import { type FieldRuleOptions, customRule } from '#shared/platform/http/validation/field-rules.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import type { SubmittedAuthorization } from '#contexts/payments/application/authorizations/submit-authorization.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const UNITS = /^(?:0|[1-9][0-9]{0,77})$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
/** Signatures of multi-owner contract accounts with passkeys are far smaller. */
const SIGNATURE_BYTES = 8_192;
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/;

/** Decimal digits, because JSON numbers lose precision. */
function Uint256(least: bigint, options: FieldRuleOptions): PropertyDecorator {
  const isUint = (value: unknown) =>
    typeof value === 'string' && UNITS.test(value) && BigInt(value) < 2n ** 256n;
  return customRule(
    'uint256',
    `must be a whole number from ${least} to 2^256 - 1 as a string, such as "1000000".`,
    (value) => isUint(value) && BigInt(value as string) >= least,
    { type: String, pattern: UNITS.source, maxLength: 78 },
    options,
  );
}

function Hex(name: string, message: string, pattern: RegExp, maxLength: number, options: FieldRuleOptions) {
  return customRule(
    name,
    message,
    (value) => typeof value === 'string' && value.length <= maxLength && pattern.test(value),
    { type: String, pattern: pattern.source, maxLength },
    options,
  );
}

export class AuthorizationBody {
  @Hex('address', 'must be an address: 0x and 40 hexadecimal digits.', ADDRESS, 42, {
    description: 'Address of the payer, who signs the message (`from` of the message).',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  from!: string;

  @Uint256(1n, {
    description: 'Amount in the smallest unit of the token. Must not exceed the remaining amount.',
    example: '13520004',
  })
  value!: string;

  @Uint256(0n, {
    description: 'Time after which the authorization is valid, in Unix seconds (exclusive). Usually `0`.',
    example: '0',
  })
  valid_after!: string;

  @Uint256(0n, {
    description:
      'Time until which the authorization is valid, in Unix seconds (exclusive). Must be at least 30 ' +
      'seconds in the future.',
    example: '1769861280',
  })
  valid_before!: string;

  @Hex('nonce', 'must be 32 bytes: 0x and 64 hexadecimal digits.', NONCE, 66, {
    description:
      '32 random bytes in hexadecimal. The token contract accepts each nonce of a payer only once.',
    example: '0x6b9ad4ca9b4c0e1f5ec5bb1c3df3b3ea4c7f14f5f7a1cdb4ae2ab1a8ad06a6e1',
  })
  nonce!: string;
}

export class SubmitAuthorizationBody {
  @IsNestedObject(
    () => AuthorizationBody,
    'EIP-3009 `TransferWithAuthorization` message that the payer signed. `to` is not sent: it is always the ' +
      'deposit address of the selected asset.',
  )
  authorization!: AuthorizationBody;

  @Hex(
    'signature',
    `must be 0x and 1 to ${SIGNATURE_BYTES} bytes in hexadecimal.`,
    SIGNATURE,
    2 + 2 * SIGNATURE_BYTES,
    {
      description:
        'Signature in hexadecimal: for an ordinary account, 65 bytes (r, s, v); for a contract account, any ' +
        'bytes that the contract accepts (EIP-1271, ERC-6492).',
      example: `0x${'1f'.repeat(64)}1b`,
    },
  )
  signature!: string;
}

export class AuthorizationDto {
  @AnswerField(
    'Status of the authorization. `queued`: the transfer will be sent. `sent`: the transaction has been ' +
      'sent. `seen`: the transfer is on the chain and counts like any other transfer.',
    { enum: ['queued', 'sent', 'seen'], enumName: 'AuthorizationStatus' },
  )
  status!: 'queued' | 'sent' | 'seen';

  @AnswerField(
    'Hash of the transaction that executes the authorization. Absent until the transaction is in a block.',
    { required: false, example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  )
  transaction_hash?: string;
}

export function toSubmittedAuthorization({
  authorization,
  signature,
}: SubmitAuthorizationBody): SubmittedAuthorization {
  const { from, nonce, value, valid_after, valid_before } = authorization;
  const units = { value: BigInt(value), validAfter: BigInt(valid_after), validBefore: BigInt(valid_before) };
  return { authorization: { from, nonce, ...units }, signature };
}
