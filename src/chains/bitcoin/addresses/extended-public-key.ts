import { secp256k1 } from '@noble/curves/secp256k1';
import { hmac } from '@noble/hashes/hmac';
import { sha256, sha512 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, createView, utf8ToBytes } from '@noble/hashes/utils';

const { ProjectivePoint: Point } = secp256k1;
type Point = InstanceType<typeof Point>;

/** Indexes from this value on are hardened, which public keys do not support. */
export const FIRST_HARDENED_INDEX = 2 ** 31;
const MAX_KEY_DEPTH = 255;

const TAP_TWEAK_TAG = sha256(utf8ToBytes('TapTweak'));

export class ExtendedPublicKey {
  readonly publicKey: Uint8Array;

  private constructor(
    readonly depth: number,
    private readonly chainCode: Uint8Array,
    private readonly point: Point,
  ) {
    this.publicKey = point.toRawBytes(true);
  }

  static read(bytes: Uint8Array): ExtendedPublicKey | null {
    const [depth = 0] = bytes.subarray(4, 5);
    const isMaster = depth === 0;
    const hasParent = bytes.subarray(5, 13).some((byte) => byte !== 0);
    if (bytes.length !== 78 || (isMaster && hasParent)) return null;
    try {
      const point = Point.fromHex(bytes.subarray(45));
      return new ExtendedPublicKey(depth, bytes.slice(13, 45), point);
    } catch {
      return null;
    }
  }

  /** Identifies the key by its children, independent of the depth and the parent it is written with. */
  get id(): string {
    return bytesToHex(sha256(concatBytes(this.publicKey, this.chainCode)));
  }

  canDerive(steps: number): boolean {
    return this.depth + steps <= MAX_KEY_DEPTH;
  }

  /** Derives a child with `CKDpub` of BIP-32. */
  child(index: number): ExtendedPublicKey {
    if (!Number.isInteger(index) || index < 0 || index >= FIRST_HARDENED_INDEX) {
      throw new RangeError(`A public key has no child ${index}.`);
    }
    const data = new Uint8Array(37);
    data.set(this.publicKey);
    createView(data).setUint32(33, index);
    const digest = hmac(sha512, this.chainCode, data);
    const point = this.point.add(multiplyBasePoint(digest.subarray(0, 32)));
    return new ExtendedPublicKey(this.depth + 1, digest.slice(32), point);
  }

  /** The key in a taproot output without scripts: 32 bytes (BIP-86, `taproot_tweak_pubkey` of BIP-341). */
  taprootOutputKey(): Uint8Array {
    const isEven = this.publicKey[0] === 2;
    const even = isEven ? this.point : this.point.negate();
    const tweak = sha256(concatBytes(TAP_TWEAK_TAG, TAP_TWEAK_TAG, this.publicKey.subarray(1)));
    return even.add(multiplyBasePoint(tweak)).toRawBytes(true).subarray(1);
  }
}

/** `multiplyUnsafe` of @noble/curves 1.9.1 returns wrong results for the base point. */
function multiplyBasePoint(scalar: Uint8Array): Point {
  return Point.BASE.multiply(BigInt(`0x${bytesToHex(scalar)}`));
}
