const TRANSACTION = 21_000n;
const CREATION = 32_000n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;
const WORD_OF_CREATION_CODE = 2n;
const ACCESSED_ADDRESS = 2_400n;
const ACCESSED_SLOT = 1_900n;

/** The parts of a transaction that its intrinsic gas depends on. */
interface Parts {
  readonly to: string | null;
  readonly data: `0x${string}`;
  readonly accessList?: readonly { readonly storageKeys: readonly string[] }[];
}

/** The gas that a transaction costs before any code runs. */
export function intrinsicGas({ to, data, accessList = [] }: Parts): bigint {
  const bytes = (data.length - 2) / 2;
  let zeros = 0;
  for (let at = 2; at < data.length; at += 2) {
    if (data.charCodeAt(at) === 48 && data.charCodeAt(at + 1) === 48) zeros += 1;
  }
  const creation = to === null ? CREATION + WORD_OF_CREATION_CODE * BigInt(Math.ceil(bytes / 32)) : 0n;
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    TRANSACTION +
    creation +
    ZERO_BYTE * BigInt(zeros) +
    OTHER_BYTE * BigInt(bytes - zeros) +
    ACCESSED_ADDRESS * BigInt(accessList.length) +
    ACCESSED_SLOT * BigInt(slots)
  );
}
