// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/**
 * @title What every deposit address runs
 * @notice Stateless. Only its factory may make it pay, and it pays only the two recipients that are part of its
 * own code, which its address commits to. It approves nobody, has no owner and cannot be changed.
 */
contract Forwarder {
    /// @notice Not the factory that created the implementation.
    error OnlyFactory();
    /// @notice The fee transfer could have been starved; nothing was moved.
    error InsufficientGas();
    /// @notice The transfer to the settlement address failed; nothing was moved. At most 128 bytes of its reason.
    error SettlementTransferFailed(bytes reason);
    /// @notice The token did not tell its balance.
    error BalanceUnknown();

    /**
     * @dev A caller may give the fee transfer more than this, as a repricing of gas may demand, and never less: too
     * little would keep the fee from its recipient.
     */
    uint256 private constant LEAST_FEE_GAS = 200_000;
    uint256 private constant LONGEST_REASON = 128;

    address private immutable FACTORY;

    constructor() {
        FACTORY = msg.sender;
    }

    receive() external payable {}

    /**
     * @notice Pays `amount`, which the factory has just seen as the whole balance.
     * Payable only because refusing coin costs gas; the factory sends none.
     * @param token the ERC-20 contract, or zero for native coin
     * @param feeGas exactly what the fee transfer gets, but 200,000 at least
     * @return toSettlement what was sent to the settlement address, in smallest units
     * @return toFee what left for the fee recipient, in smallest units; zero if that transfer failed
     */
    function settle(
        address token,
        uint256 amount,
        uint256 feeGas
    ) external payable returns (uint256 toSettlement, uint256 toFee) {
        if (msg.sender != FACTORY) revert OnlyFactory();

        (address settlement, address feeRecipient, uint256 feeBasisPoints) = _terms();
        toSettlement = amount;
        if (feeBasisPoints != 0) {
            uint256 fee;
            // Quotient and remainder apart: the exact floor, and no overflow whatever a token claims as balance.
            unchecked {
                fee = (amount / 10_000) * feeBasisPoints + ((amount % 10_000) * feeBasisPoints) / 10_000;
            }
            if (fee != 0) {
                if (feeGas < LEAST_FEE_GAS) feeGas = LEAST_FEE_GAS;
                // The transfer gets all of it only if 64/63 of it (EIP-150) are left once the call itself is paid for.
                // That may cost 1.48 of it: of the least 296,000, today at most 36,600.
                if (gasleft() < 2 * feeGas + feeGas / 2) revert InsufficientGas();
                _pay(token, feeRecipient, fee, feeGas);
                // Measured, not believed: a token may say false and move, say true and not move, or take more.
                toSettlement = _balance(token);
                toFee = amount > toSettlement ? amount - toSettlement : 0;
                if (toSettlement == 0) return (0, toFee);
            }
        }
        if (!_pay(token, settlement, toSettlement, gasleft())) revert SettlementTransferFailed(_reason());
    }

    /**
     * @dev Behind the 45 bytes of the clone: settlement (20 bytes), fee recipient (20), basis points (2), home chain
     * id (1 to 8). Without a fee the chain id follows the settlement address at once and ends before byte 28, so
     * that the basis points, bytes 40 and 41, are read from beyond the code, which is zero.
     */
    function _terms() private view returns (address settlement, address feeRecipient, uint256 feeBasisPoints) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0, 45, 64)
            settlement := shr(96, mload(0))
            feeRecipient := shr(96, mload(20))
            feeBasisPoints := and(mload(10), 0xffff)
        }
    }

    /// @dev Reads at most one word of what the callee returns. Nothing is success (if there is code), else `true`.
    function _pay(address token, address to, uint256 amount, uint256 gasLimit) internal virtual returns (bool success) {
        bytes32 selector = IERC20.transfer.selector;
        assembly ("memory-safe") {
            switch token
            case 0 {
                success := call(gasLimit, to, amount, 0, 0, 0, 0)
            }
            default {
                let data := mload(0x40)
                mstore(data, selector)
                mstore(add(data, 4), to)
                mstore(add(data, 36), amount)
                success := call(gasLimit, token, 0, data, 68, 0, 32)
                switch returndatasize()
                case 0 {
                    if success {
                        success := iszero(iszero(extcodesize(token)))
                    }
                }
                default {
                    success := and(success, and(gt(returndatasize(), 31), eq(mload(0), 1)))
                }
            }
        }
    }

    function _balance(address token) internal view returns (uint256 held) {
        if (token == address(0)) return address(this).balance;
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (address(this)));
        bool known;
        assembly ("memory-safe") {
            known := staticcall(gas(), token, add(data, 32), mload(data), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            held := mload(0)
        }
        if (!known) revert BalanceUnknown();
    }

    /// @dev Bounded, so that a recipient's huge return data costs nobody anything.
    function _reason() private pure returns (bytes memory reason) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, LONGEST_REASON) {
                size := LONGEST_REASON
            }
            reason := mload(0x40)
            mstore(0x40, add(reason, add(LONGEST_REASON, 32)))
            mstore(reason, size)
            returndatacopy(add(reason, 32), 0, size)
        }
    }
}
