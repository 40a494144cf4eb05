"""What each command prints for people: tables and sentences."""
