import type { VNode } from 'preact';

interface OnChainProps {
  readonly kind: 'tx' | 'address';
  readonly value: string;
  /** The network's explorer, from the networks file. */
  readonly explorer: string | undefined;
}

/** The hash of a transaction or an address, which leads to the network's explorer where there is one. Paths: EIP-3091. */
export function OnChain({ kind, value, explorer }: OnChainProps): VNode {
  if (explorer === undefined) return <code>{value}</code>;
  return (
    <a href={`${explorer}/${kind}/${value}`} target="_blank" rel="noopener noreferrer">
      <code>{value}</code>
    </a>
  );
}
