import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { SignaturePaymentDto } from '#contexts/payments/infrastructure/requests/http/payment-option.dto.js';
import { TRANSFER_TYPES } from '#sandbox/payer/sign-transfer.js';
import type { SubmitAuthorizationBody } from '#contexts/payments/infrastructure/authorizations/http/authorization.dto.js';

/** A payer with tokens and no native coin, who signs what a session asks for (EIP-3009, EIP-712). */
export class SigningPayer {
  readonly key = generatePrivateKey();
  private readonly account = privateKeyToAccount(this.key);

  get address(): Address {
    return this.account.address;
  }

  /** All that is missing, valid until the year 2100, but for these fields. */
  async sign(
    session: Pick<PublicCheckoutDto, 'selected'>,
    fields: Partial<SubmitAuthorizationBody['authorization']> = {},
  ): Promise<SubmitAuthorizationBody> {
    const { to, value } = signaturePaymentOf(session);
    const nonce = `0x${randomBytes(32).toString('hex')}`;
    const times = { valid_after: '0', valid_before: '4102444800' };
    const authorization = { from: this.address, value, nonce, ...times, ...fields };
    const signature = await this.account.signTypedData({
      domain: domainOf(session),
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...{ from: authorization.from as Hex, to: to as Hex, nonce: authorization.nonce as Hex },
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.valid_after),
        validBefore: BigInt(authorization.valid_before),
      },
    });
    return { authorization, signature };
  }
}

function domainOf(session: Pick<PublicCheckoutDto, 'selected'>) {
  const {
    name,
    version,
    chain_id: chainId,
    verifying_contract: contract,
  } = signaturePaymentOf(session).domain;
  return { name, version, chainId, verifyingContract: contract as Hex };
}

/** @throws where the session cannot be paid by a signature */
export function signaturePaymentOf({ selected }: Pick<PublicCheckoutDto, 'selected'>): SignaturePaymentDto {
  if (selected?.signature_payment === undefined)
    throw new Error(`It cannot be paid by a signature: ${JSON.stringify(selected)}`);
  return selected.signature_payment;
}
