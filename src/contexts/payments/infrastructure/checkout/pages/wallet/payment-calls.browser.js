// @ts-check
// Computes wallet requests without any call: amounts, token calls (ERC-20) and typed data (EIP-712, EIP-3009).
import { formatUnits } from '#shared/web/script/units.browser.js';

/** @param {bigint | number} value */
export const hexQuantity = (value) => `0x${BigInt(value).toString(16)}`;

/** Encodes an address or a number as one 32-byte word of a call. */
const encodeWord = (hex) => hex.replace(/^0x/i, '').toLowerCase().padStart(64, '0');

/** @param {string} holder */
export const balanceOfData = (holder) => `0x70a08231${encodeWord(holder)}`;

/** @param {string} to @param {bigint} units */
export const transferData = (to, units) => `0xa9059cbb${encodeWord(to)}${encodeWord(hexQuantity(units))}`;

/** Rounds a fee up to four significant digits. */
export function formatFee(units, decimals) {
  const unit = 10n ** BigInt(Math.max(0, units.toString().length - 4));
  return formatUnits(((units + unit - 1n) / unit) * unit, decimals);
}

export function paymentOf({ token, to, units, chainId }, from) {
  const chain = hexQuantity(chainId);
  if (!token) return { from, to, value: hexQuantity(units), chainId: chain };
  return { from, to: token, value: '0x0', data: transferData(to, units), chainId: chain };
}

/**
 * @param {any} domain `domain` of `signature_payment`
 * @param {any} authorization request body for the service
 * @param {string} to
 */
export function typedTransfer(domain, authorization, to) {
  const { from, value, valid_after: validAfter, valid_before: validBefore, nonce } = authorization;
  const fields = (/** @type {string} */ list) =>
    list.split(', ').map((field) => ({ name: field.split(' ')[1], type: field.split(' ')[0] }));
  return {
    types: {
      EIP712Domain: fields('string name, string version, uint256 chainId, address verifyingContract'),
      TransferWithAuthorization: fields(
        'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
      ),
    },
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: domain.name,
      version: domain.version,
      chainId: domain.chain_id,
      verifyingContract: domain.verifying_contract,
    },
    message: { from, to, value, validAfter, validBefore, nonce },
  };
}

/** @param {Uint8Array} bytes */
export const hexBytes = (bytes) =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** @param {unknown} hash */
export const isHash = (hash) => typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash);
