import { type Chain, Chains } from '../contract/chains.js';

/** Chains in which every network has the same chain. Parts that a test does not use are absent. */
export class SameChain extends Chains {
  constructor(private readonly chain: Partial<Chain>) {
    super();
  }

  find(): Chain {
    return this.chain as Chain;
  }
}
