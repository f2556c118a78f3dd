"""Rate limits: requests a second by account, demo pages an hour by IP address, sign-in attempts by network."""
