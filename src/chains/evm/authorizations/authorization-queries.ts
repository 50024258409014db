import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { SignedTransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, queryContract, nullIfReverted, readBytes } from '../../ethereum-rpc/contract-calls.js';
import { readFields, readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { AUTHORIZATION_STATE_ABI } from './authorization-call.js';
import type { SignatureAcceptance, AuthorizationChainFacts } from './authorization-facts.js';

const EIP_1271_ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
const EIP_1271_ACCEPTED = /^0x1626ba7e0{56}/;
/** Passkey signatures use about 350,000 gas without a precompiled contract. */
const SIGNATURE_CHECK_GAS_LIMIT = '0x7a120';

@Injectable()
export class AuthorizationQueries {
  constructor(private readonly rpc: JsonRpc) {}

  async signatureAcceptance(
    endpoint: Endpoint,
    account: string,
    signature: { readonly hash: Hex; readonly bytes: Hex },
  ): Promise<SignatureAcceptance> {
    const asked = { method: 'eth_getCode', isLong: true, params: [account, 'latest'], read: readBytes };
    const hasCode = (await this.rpc.callOnce(endpoint, asked)) !== '0x';
    return { hasCode, isAccepted: hasCode && (await this.isAccepted(endpoint, account, signature)) };
  }

  async chainFacts(
    endpoint: Endpoint,
    signed: SignedTransferAuthorization,
  ): Promise<AuthorizationChainFacts> {
    const { from } = signed.authorization;
    const [isUsed, balance, headTime] = await Promise.all([
      this.isUsed(endpoint, signed),
      queryContract(this.rpc, endpoint, {
        ...{ abi: ERC20_ABI, to: signed.token },
        ...{ functionName: 'balanceOf', args: [from] },
      }),
      this.headTime(endpoint),
    ]);
    if (typeof balance !== 'bigint')
      throw new ChainUnavailable(endpoint.network, `${signed.token} returns no balance of ${from}.`);
    return { isUsed, balance, headTime };
  }

  async isUsed(endpoint: Endpoint, { token, authorization }: SignedTransferAuthorization): Promise<boolean> {
    const answer = await queryContract(this.rpc, endpoint, {
      ...{ abi: AUTHORIZATION_STATE_ABI, to: token, functionName: 'authorizationState' },
      args: [authorization.from, authorization.nonce],
    });
    if (typeof answer === 'boolean') return answer;
    throw new ChainUnavailable(
      endpoint.network,
      `${token} does not return whether an authorization is used.`,
    );
  }

  private isAccepted(
    endpoint: Endpoint,
    account: string,
    { hash, bytes }: { readonly hash: Hex; readonly bytes: Hex },
  ): Promise<boolean> {
    const args = [hash, bytes] as const;
    const data = encodeFunctionData({ abi: EIP_1271_ABI, functionName: 'isValidSignature', args });
    return this.rpc.callOnce<boolean>(endpoint, {
      method: 'eth_call',
      params: [{ to: account, data, gas: SIGNATURE_CHECK_GAS_LIMIT }, 'latest'],
      read: (answer) => EIP_1271_ACCEPTED.test(readBytes(answer)),
      refused: (refusal) => nullIfReverted(refusal) ?? false,
    });
  }

  private headTime(endpoint: Endpoint): Promise<bigint> {
    return this.rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', false],
      read: (answer) => BigInt(readQuantity(readFields(answer, 'the newest block').timestamp, 'timestamp')),
    });
  }
}
