// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Nothing but what OpenZeppelin's token has: each further function makes every call of it dearer.
contract PlainToken is ERC20("USD Coin", "USDC") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
