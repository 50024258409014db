// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title A payer that is a contract, as a smart wallet or an exchange's batch is; for the sandbox and the tests
/// @notice Anyone may spend what it holds, so it should hold nothing between two transactions.
contract PayerContract {
    using SafeERC20 for IERC20;

    struct Payment {
        /// Zero: the native coin.
        address token;
        address to;
        uint256 amount;
    }

    error Reverted();
    error Refused(uint256 index);

    receive() external payable {}

    /// @notice Makes all payments in order, or none, out of what it holds and what comes with the call
    function pay(Payment[] calldata payments) external payable {
        _pay(payments);
    }

    /// @notice The same, with the tokens taken from the caller first, who has approved them
    function pullAndPay(Payment[] calldata payments) external payable {
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].token == address(0)) continue;
            IERC20(payments[i].token).safeTransferFrom(msg.sender, address(this), payments[i].amount);
        }
        _pay(payments);
    }

    /// @notice Makes all payments and undoes them: a transaction that failed
    function payAndRevert(Payment[] calldata payments) external payable {
        _pay(payments);
        revert Reverted();
    }

    /// @notice The same in an inner call: a transaction that succeeded, in which nothing arrived
    function tryPayAndRevert(Payment[] calldata payments) external payable {
        try this.payAndRevert{value: msg.value}(payments) {} catch {}
        (bool returned, ) = msg.sender.call{value: msg.value}("");
        require(returned);
    }

    function _pay(Payment[] calldata payments) private {
        for (uint256 i; i < payments.length; ++i) {
            Payment calldata payment = payments[i];
            if (payment.token == address(0)) {
                (bool success, ) = payment.to.call{value: payment.amount}("");
                if (!success) revert Refused(i);
            } else {
                IERC20(payment.token).safeTransfer(payment.to, payment.amount);
            }
        }
    }
}
