// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What a transfer of a token moves, by the balances before and after
/// @notice Never deployed: `operator network check` lends its code to a holder of the token for one `eth_call`
/// (state override), so that nothing is sent and no key is needed.
contract TransferProbe {
    using SafeERC20 for IERC20;

    /// First word of the answer: whatever else answers, because a node ignored the override, does not begin so.
    bytes32 private constant MARK = keccak256("TransferProbe");

    struct Outcome {
        bytes32 mark;
        bool moved;
        uint256 time;
        uint256 holderBefore;
        uint256 holderAfter;
        uint256 recipientBefore;
        uint256 recipientAfter;
    }

    /// Transfers the holder's whole balance but one smallest unit. A small amount would not do: a fee on it rounds to
    /// nothing. Nor would the whole: tokens that store shares of something move it exactly, but not one unit less.
    function transferAllButOne(IERC20 token, address recipient) external returns (Outcome memory outcome) {
        outcome.mark = MARK;
        outcome.time = block.timestamp;
        outcome.holderBefore = token.balanceOf(address(this));
        outcome.recipientBefore = token.balanceOf(recipient);
        outcome.moved = token.trySafeTransfer(recipient, outcome.holderBefore - 1);
        outcome.holderAfter = token.balanceOf(address(this));
        outcome.recipientAfter = token.balanceOf(recipient);
    }
}
