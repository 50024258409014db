// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Forwarder} from "./Forwarder.sol";

/**
 * @title What every deposit address on TRON runs
 * @notice USDT on TRON (TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t) returns false from every transfer, also from one that moved
 * the amount. Such a transfer counts if this contract's balance shows it.
 */
contract TronForwarder is Forwarder {
    function _pay(address token, address to, uint256 amount, uint256 gasLimit)
        internal
        override
        returns (bool success)
    {
        if (token == address(0)) return super._pay(token, to, amount, gasLimit);
        uint256 held = _balance(token);
        if (super._pay(token, to, amount, gasLimit)) return true;
        // A reason of another length belongs to a revert, and stays readable for the caller.
        uint256 returned;
        assembly ("memory-safe") {
            returned := returndatasize()
        }
        return returned == 32 && held >= amount && _balance(token) == held - amount;
    }
}
