// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {Forwarder} from "./Forwarder.sol";

/**
 * @title Derives, deploys and settles deposit addresses
 * @notice No owner, no storage. A deposit address is a CREATE2 clone of `implementation` whose code carries its terms;
 * whoever calls, money goes only where those terms say.
 */
contract ForwarderFactory {
    /// @param settlement who is paid; not zero
    /// @param feeRecipient who gets the fee; zero if and only if there is none
    /// @param feeBasisPoints the fee's share of all that is settled, 0 to 10000
    /// @param homeChainId where anyone may settle; elsewhere only `settlement` may; not zero (EIP-155, EIP-2294)
    struct Terms {
        address settlement;
        address feeRecipient;
        uint16 feeBasisPoints;
        uint64 homeChainId;
    }

    /// @param token the ERC-20 contract, or zero for native coin
    /// @param undeployed says that none of these forwarders has code yet, which spares asking: 2,200 gas for each with
    /// a token, nothing with native coin. Where it is not so, that one costs the gas of a creation and is paid all the same
    /// @param salts one for each forwarder of these terms
    struct Group {
        Terms terms;
        address token;
        bool undeployed;
        bytes32[] salts;
    }

    /// @notice What the parts of settling may use. Arguments, since a fork that reprices gas would make a constant
    /// freeze money. They can make items fail, never change who is paid what.
    /// @param reading what asking the token for one balance may use at most
    /// @param payout what paying out one forwarder may use at most
    /// @param creation what creating one clone may use at most
    /// @param fee what a fee transfer gets: exactly this, but 200,000 at least
    /// @param reserve what is kept back for this contract's own work on an item and its last events
    struct GasLimits {
        uint256 reading;
        uint256 payout;
        uint256 creation;
        uint256 fee;
        uint256 reserve;
    }

    /// @notice A forwarder paid out its whole balance. Amounts in smallest units, as sent. Not indexed, which would cost
    /// more: all of them are read by this contract's address, and the token's own events name the forwarder.
    event Settled(address forwarder, address token, uint256 toSettlement, uint256 toFee);
    /// @notice Nothing of this token was moved. Forwarder is zero if the terms are invalid.
    event Failed(address indexed forwarder, address indexed token, bytes reason);
    /// @notice The gas left was less than one item may use; this item and all after it were not paid out.
    event Stopped(uint256 group, uint256 item);

    /// @notice Called from within itself.
    error Reentered();
    /// @notice Less gas than one item may use, before any item.
    error InsufficientGas();
    /// @notice These terms have no address.
    error InvalidTerms();
    /// @notice Away from the home chain only the settlement address may settle.
    error AwayFromHome();
    /// @notice Not this contract itself.
    error OnlyItself();
    /// @notice Not a token: no code, or no balance told.
    error BalanceUnknown();
    /// @notice The clone is not there: creating it used more than `creation`.
    error NotCreated();
    /// @notice CREATE2 on this chain hashes another prefix.
    error WrongPrefix();

    /// @notice The code of all clones, created with the salt zero. By CREATE2, because CREATE on TRON hashes the
    /// transaction's id: the address would not follow from this contract's.
    address public immutable implementation;

    bytes1 private immutable PREFIX;

    bool private transient entered;

    /// @param prefix the first byte that CREATE2 hashes: 0xff (EIP-1014), on TRON 0x41
    constructor(bytes1 prefix) {
        PREFIX = prefix;
        implementation = _create2Address(0, keccak256(type(Forwarder).creationCode));
        if (address(new Forwarder{salt: 0}()) != implementation) revert WrongPrefix();
    }

    /**
     * @notice Settles the whole balance of each forwarder, deploying it if need be. An empty one is passed over.
     * One that fails is reported and stops no other, whatever it does with its gas.
     * @param limits what one item may use, and must be able to use: with less gas left the batch stops there
     */
    function settle(Group[] calldata groups, GasLimits calldata limits) external {
        if (entered) revert Reentered();
        entered = true;
        // More gas than any block has can never be left; bounding it here keeps sums of it from overflowing below.
        if ((limits.reading | limits.payout | limits.creation | limits.reserve) >> 64 != 0) revert InsufficientGas();
        if (gasleft() < _required(limits)) revert InsufficientGas();

        for (uint256 i = 0; i < groups.length; ++i) {
            Group calldata group = groups[i];
            uint256 tried = _settleGroup(group, limits);
            if (tried < group.salts.length) {
                emit Stopped(i, tried);
                break;
            }
        }
        entered = false;
    }

    /// @notice The deposit address of these terms and this salt, whether deployed or not.
    function addressOf(Terms calldata terms, bytes32 salt) external view returns (address) {
        if (!_valid(terms)) revert InvalidTerms();
        return _create2Address(salt, keccak256(_creationCode(terms)));
    }

    /**
     * @notice Creates a clone, for this contract itself only: in a call of its own, so that a creation that fails
     * burns no more gas than this call was given.
     */
    function deploy(bytes32 salt, bytes calldata creationCode) external {
        if (msg.sender != address(this)) revert OnlyItself();
        Create2.deploy(0, salt, creationCode);
    }

    /// @return tried fewer than there are salts if the gas ran low
    function _settleGroup(Group calldata group, GasLimits calldata limits) private returns (uint256 tried) {
        Terms calldata terms = group.terms;
        uint256 required = _required(limits);

        if (!_valid(terms)) return _refuse(group, InvalidTerms.selector, "", required);
        bytes memory creationCode = _creationCode(terms);
        if (block.chainid != terms.homeChainId && msg.sender != terms.settlement) {
            return _refuse(group, AwayFromHome.selector, creationCode, required);
        }

        address token = group.token;
        bool undeployed = group.undeployed;
        uint256 readingGas = limits.reading;
        uint256 payoutGas = limits.payout;
        bytes32[] calldata salts = group.salts;
        bytes memory preimage = abi.encodePacked(PREFIX, address(this), bytes32(0), keccak256(creationCode));
        bytes memory deployment = abi.encodeCall(this.deploy, (0, creationCode));
        bytes memory payout = abi.encodeCall(Forwarder.settle, (token, 0, limits.fee));
        bytes memory record = abi.encode(address(0), token, 0, 0);
        // Counts items of calldata and smallest units of gas, none of which comes near 2^256.
        unchecked {
            for (; tried < salts.length; ++tried) {
                if (gasleft() < required) break;
                (bytes32 salt, address forwarder) = _forwarder(salts, tried, preimage);

                (bool known, uint256 balance) = _balance(token, forwarder, readingGas);
                if (!known) {
                    emit Failed(forwarder, token, abi.encodePacked(BalanceUnknown.selector));
                    continue;
                }
                if (balance == 0) continue;

                if (undeployed || forwarder.code.length == 0) {
                    uint256 creationGas = limits.creation;
                    if (gasleft() < required + _allowing(creationGas)) break;
                    // Whether it is there now shows in the payout.
                    _deploy(deployment, salt, creationGas);
                }
                if (_payOut(payout, record, forwarder, balance, payoutGas)) _emitSettled(record, forwarder);
                else emit Failed(forwarder, token, _reason(forwarder));
            }
        }
    }

    function _create2Address(bytes32 salt, bytes32 codeHash) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(PREFIX, address(this), salt, codeHash)))));
    }

    /// @dev As `_create2Address`, but cheaper for many salts.
    /// @param preimage of the address (EIP-1014), which the salt is written into
    function _forwarder(
        bytes32[] calldata salts,
        uint256 index,
        bytes memory preimage
    ) private pure returns (bytes32 salt, address forwarder) {
        assembly ("memory-safe") {
            salt := calldataload(add(salts.offset, shl(5, index)))
            mstore(add(preimage, 53), salt)
            forwarder := and(keccak256(add(preimage, 32), 85), 0xffffffffffffffffffffffffffffffffffffffff)
        }
    }

    /// @param deployment the encoded call of `deploy`, which this salt is written into
    function _deploy(bytes memory deployment, bytes32 salt, uint256 gasLimit) private {
        assembly ("memory-safe") {
            mstore(add(deployment, 36), salt)
            pop(call(gasLimit, address(), 0, add(deployment, 32), mload(deployment), 0, 0))
        }
    }

    /// @dev Reports every item of a group as failed. Without terms that have an address the forwarder is zero.
    function _refuse(
        Group calldata group,
        bytes4 refusal,
        bytes memory creationCode,
        uint256 required
    ) private returns (uint256 tried) {
        bytes32 codeHash = keccak256(creationCode);
        for (; tried < group.salts.length && gasleft() >= required; ++tried) {
            address forwarder = creationCode.length == 0
                ? address(0)
                : _create2Address(group.salts[tried], codeHash);
            emit Failed(forwarder, group.token, abi.encodePacked(refusal));
        }
    }

    /// @dev Without Solidity's encoding and decoding for every item, which would cost a tenth of a repeat payment.
    /// @param payout the encoded call of the forwarder's `settle`, which this amount is written into
    /// @param record the encoded `Settled`, which the two amounts that the forwarder answers are written into
    function _payOut(
        bytes memory payout,
        bytes memory record,
        address forwarder,
        uint256 amount,
        uint256 gasLimit
    ) private returns (bool success) {
        assembly ("memory-safe") {
            mstore(add(payout, 68), amount)
            success := call(gasLimit, forwarder, 0, add(payout, 32), 100, add(record, 96), 64)
            // Also says that there was code to call.
            success := and(success, eq(returndatasize(), 64))
        }
    }

    function _emitSettled(bytes memory record, address forwarder) private {
        bytes32 topic = Settled.selector;
        assembly ("memory-safe") {
            mstore(add(record, 32), forwarder)
            log1(add(record, 32), 128, topic)
        }
    }

    /// @dev Bounded here again; the forwarder passes on at most 128 bytes of anybody else's.
    function _reason(address forwarder) private view returns (bytes memory reason) {
        if (forwarder.code.length == 0) return abi.encodePacked(NotCreated.selector);
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, 256) {
                size := 256
            }
            reason := mload(0x40)
            mstore(0x40, add(reason, 288))
            mstore(reason, size)
            returndatacopy(add(reason, 32), 0, size)
        }
    }

    /// @dev For one item that need not be created.
    function _required(GasLimits calldata limits) private pure returns (uint256) {
        unchecked {
            return _allowing(limits.reading) + _allowing(limits.payout) + limits.reserve;
        }
    }

    /// @dev Enough that EIP-150 leaves the callee all of it.
    function _allowing(uint256 gasLimit) private pure returns (uint256) {
        unchecked {
            return gasLimit + gasLimit / 63 + 1;
        }
    }

    function _balance(
        address token,
        address forwarder,
        uint256 gasLimit
    ) private view returns (bool known, uint256 held) {
        bytes32 selector = IERC20.balanceOf.selector;
        assembly ("memory-safe") {
            switch token
            case 0 {
                known := 1
                held := balance(forwarder)
            }
            default {
                mstore(0, selector)
                mstore(4, forwarder)
                known := staticcall(gasLimit, token, 0, 36, 0, 32)
                known := and(known, gt(returndatasize(), 31))
                held := mload(0)
            }
        }
    }

    function _valid(Terms calldata terms) private pure returns (bool) {
        return
            terms.settlement != address(0) &&
            terms.feeBasisPoints <= 10_000 &&
            (terms.feeRecipient == address(0)) == (terms.feeBasisPoints == 0) &&
            terms.homeChainId != 0;
    }

    /// @dev settlement (20 bytes), with a fee also recipient (20) and basis points (2), then the home chain id, big
    /// endian without leading zeros (1 to 8). No two terms share an encoding: 21 to 28 bytes, with a fee 43 to 50.
    function _arguments(Terms calldata terms) private pure returns (bytes memory) {
        uint256 bits = 64;
        while (terms.homeChainId >> (bits - 8) == 0) bits -= 8;
        bytes memory chain = abi.encodePacked(terms.homeChainId << uint64(64 - bits));
        assembly ("memory-safe") {
            mstore(chain, shr(3, bits))
        }
        return
            terms.feeBasisPoints == 0
                ? abi.encodePacked(terms.settlement, chain)
                : abi.encodePacked(terms.settlement, terms.feeRecipient, terms.feeBasisPoints, chain);
    }

    /// @dev As OpenZeppelin's Clones builds it, but once for all salts of a group.
    function _creationCode(Terms calldata terms) private view returns (bytes memory) {
        bytes memory args = _arguments(terms);
        return
            abi.encodePacked(
                hex"61",
                uint16(args.length + 0x2d),
                hex"3d81600a3d39f3363d3d373d3d3d363d73",
                implementation,
                hex"5af43d82803e903d91602b57fd5bf3",
                args
            );
    }
}
