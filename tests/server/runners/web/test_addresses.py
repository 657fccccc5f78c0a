"""Which addresses a hook's request may go to."""

from __future__ import annotations

import pytest
from tenterhook.runners.web.addresses import why_refused


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.255.254", "::1", "1.1.1.1", "93.184.216.34", "9.255.255.255", "11.0.0.0",
        "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "100.63.255.255", "100.128.0.0",
        "169.253.255.255", "169.255.0.0", "223.255.255.255", "2606:4700:4700::1111", "64:ff9b::101:101",
        "2002:101:101::1",
    ],
)  # fmt: skip
def test_the_machine_itself_and_the_open_net_may_be_reached(address: str) -> None:
    assert why_refused(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1",
        "100.64.0.0", "100.100.100.200", "100.127.255.255", "169.254.0.1", "169.254.169.254", "168.63.129.16",
        "192.0.0.192", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "fe80::1", "fe80::1%eth0", "febf::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1",
        "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:1.1.1.1", "::ffff:169.254.169.254", "::10.0.0.1", "::7f00:1",
        "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:a00:1::1", "2002:7f00:1::",
        "2001:0:1::1", "100::1",
        "", "nonsense", "1.2.3", "1.2.3.4.5",
    ],
)  # fmt: skip
def test_what_lies_between_may_not_however_it_is_written(address: str) -> None:
    assert why_refused(address)
