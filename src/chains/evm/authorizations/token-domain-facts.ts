import { type Hex, domainSeparator, keccak256, toHex } from 'viem';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import {
  type EndpointAnswer,
  type CheckResult,
  okResult,
  warningResult,
} from '#contexts/networks/domain/finding.js';
import type { SignatureForm } from './authorization-call.js';

/** A field is null if the contract has no such function. */
export interface Eip712DomainAnswers {
  readonly chainId: number;
  readonly token: string;
  readonly authorizationState: unknown;
  /** The EIP-5267 answer: fields, name, version, chain id, contract, salt, extensions. */
  readonly eip712Domain: unknown;
  readonly name: unknown;
  readonly version: unknown;
  readonly domainSeparator: unknown;
  readonly typeHash: unknown;
}

export type TokenSignatureSupport =
  | { readonly kind: 'taken'; readonly domain: TokenDomain; readonly forms: ReadonlySet<SignatureForm> }
  | { readonly kind: 'absent'; readonly says: string }
  | { readonly kind: 'unproven'; readonly says: string };

const AUTHORIZATION_TYPE = 'TransferWithAuthorization';
const AUTHORIZATION_TYPE_HASH = keccak256(
  toHex(
    `${AUTHORIZATION_TYPE}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
  ),
);
/** EIP-5267 bit mask of a domain with name, version, chain id and contract but no salt, as EIP-3009 uses. */
const EIP_5267_FIELDS = '0x0f';
const MAX_LENGTH = 100;

export function eip712DomainOfAnswers(
  answers: Eip712DomainAnswers,
): TokenDomain | Exclude<TokenSignatureSupport, { readonly kind: 'taken' }> {
  const { chainId, token, authorizationState, typeHash } = answers;
  if (typeof authorizationState !== 'boolean')
    return { kind: 'absent', says: 'It has no authorizationState (EIP-3009).' };
  const names = readNameAndVersion(answers);
  if (typeof names === 'string') return unproven(names);
  const { name, version } = names;
  if (name.length > MAX_LENGTH || version.length > MAX_LENGTH)
    return unproven(`Name or version of its domain is longer than ${MAX_LENGTH} characters.`);
  const domain = { name, version, chainId, verifyingContract: toDisplayAddress(token) };
  const separator = domainSeparator({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
  });
  if (typeof answers.domainSeparator !== 'string')
    return unproven('It has no DOMAIN_SEPARATOR to compare its domain with.');
  if (answers.domainSeparator !== separator)
    return unproven(
      `Its DOMAIN_SEPARATOR is not that of name "${name}", version "${version}", chain ${chainId} and its address.`,
    );
  if (typeHash !== null && typeHash !== AUTHORIZATION_TYPE_HASH)
    return unproven('Its TRANSFER_WITH_AUTHORIZATION_TYPEHASH is not that of EIP-3009.');
  return domain;
}

function readNameAndVersion({ eip712Domain, name, version, chainId, token }: Eip712DomainAnswers) {
  if (Array.isArray(eip712Domain)) {
    const [fields, ownName, ownVersion, ownChain, contract] = eip712Domain as [
      string,
      string,
      string,
      bigint,
      string,
    ];
    if (fields !== EIP_5267_FIELDS)
      return 'Its EIP-712 domain has other fields than name, version, chain id and contract.';
    if (ownChain !== BigInt(chainId)) return `Its EIP-712 domain is of the chain ${ownChain}.`;
    if (contract.toLowerCase() !== token) return `Its EIP-712 domain is of the contract ${contract}.`;
    return { name: ownName, version: ownVersion };
  }
  if (typeof name !== 'string' || typeof version !== 'string')
    return 'It has neither eip712Domain (EIP-5267) nor both name and version.';
  return { name, version };
}

function unproven(says: string): TokenSignatureSupport & { readonly kind: 'unproven' } {
  return { kind: 'unproven', says };
}

export function checkSignatureSupport(
  signatures: EndpointAnswer<TokenSignatureSupport>,
  isSponsored: boolean,
): CheckResult {
  const check = 'signature';
  const todo = 'Payments work without signatures. If the token should accept them, find out why it does not.';
  if ('refused' in signatures) return warningResult(check, `Not checked: ${signatures.refused}`, todo);
  const { answer } = signatures;
  if (answer.kind === 'taken') {
    const { name, version } = answer.domain;
    const forms = answer.forms.has('bytes') ? 'accounts and contracts' : 'accounts only';
    const says = `It accepts payments by signature (EIP-3009) from ${forms}. Its domain is "${name}", version "${version}".`;
    return okResult(check, says);
  }
  const says = `It accepts no payments by signature. ${answer.says}`;
  return answer.kind === 'unproven' && isSponsored ? warningResult(check, says, todo) : okResult(check, says);
}
