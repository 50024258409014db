import { Injectable } from '@nestjs/common';
import { parseAbi } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { VerifiedEndpoints } from '../check/verified-endpoints.js';
import { queryContract } from '../../ethereum-rpc/contract-calls.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { simulateCalls } from '../rpc/simulated-calls.js';
import { AUTHORIZATION_STATE_ABI } from './authorization-call.js';
import { acceptedSignatureForms, signatureProbeCalls } from './signature-probe-calls.js';
import { type TokenSignatureSupport, eip712DomainOfAnswers } from './token-domain-facts.js';

const DOMAIN_ABI = parseAbi([
  'function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function TRANSFER_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)',
]);
const PLACEHOLDER_SENDER = `0x${'11'.repeat(20)}`;
/** A call that uses all of its gas leaves enough for the other calls. */
const PROOF_CALL_GAS_LIMIT = '0x7a120';
/** A token without a proven domain is checked again after this time, because it may have been paused or upgraded. */
const UNPROVEN_CACHED_FOR_MS = 600_000;

@Injectable()
export class TokenSignatureProbe {
  private readonly asked = new Map<string, Promise<TokenSignatureSupport>>();

  constructor(
    private readonly endpoints: VerifiedEndpoints,
    private readonly rpc: JsonRpc,
  ) {}

  /**
   * @param token in lower case
   */
  cachedSupport(network: string, token: string): Promise<TokenSignatureSupport> {
    const key = `${network} ${token}`;
    const known = this.asked.get(key);
    if (known !== undefined) return known;
    const asked = this.endpoints.first(network, (endpoint) => this.probe(endpoint, token));
    this.asked.set(key, asked);
    const forget = () => this.asked.delete(key);
    asked.then(({ kind }) => {
      if (kind !== 'taken') setTimeout(forget, UNPROVEN_CACHED_FOR_MS).unref();
    }, forget);
    return asked;
  }

  /** Relies only on the token's answers, because the code of a proxy contract does not show what the proxy does. */
  async probe(endpoint: Endpoint, token: string): Promise<TokenSignatureSupport> {
    const ask = (functionName: string) =>
      queryContract(this.rpc, endpoint, { abi: DOMAIN_ABI, to: token, functionName });
    const authorizationState = await queryContract(this.rpc, endpoint, {
      abi: AUTHORIZATION_STATE_ABI,
      to: token,
      functionName: 'authorizationState',
      args: [PLACEHOLDER_SENDER, `0x${'00'.repeat(32)}`],
    });
    const [eip712Domain, name, version, domainSeparator, typeHash] = await Promise.all([
      ask('eip712Domain'),
      ask('name'),
      ask('version'),
      ask('DOMAIN_SEPARATOR'),
      ask('TRANSFER_WITH_AUTHORIZATION_TYPEHASH'),
    ]);
    const { chainId } = this.endpoints.configuration(endpoint.network);
    const domain = eip712DomainOfAnswers({
      ...{ chainId, token, authorizationState, eip712Domain },
      ...{ name, version, domainSeparator, typeHash },
    });
    if ('kind' in domain) return domain;
    const proof = (await signatureProbeCalls(domain)).map((call) => ({
      from: PLACEHOLDER_SENDER,
      gas: PROOF_CALL_GAS_LIMIT,
      ...call,
    }));
    const forms = acceptedSignatureForms(await simulateCalls(this.rpc, endpoint, proof));
    if (forms.size > 0) return { kind: 'taken', domain, forms };
    return {
      kind: 'unproven',
      says: 'Simulated, its transferWithAuthorization takes no good signature, or takes a wrong one too.',
    };
  }
}
