import type { Hex } from 'viem';

/** Arachnid's deterministic-deployment-proxy, in lower case. */
export const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
export const DEPLOYER_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';
