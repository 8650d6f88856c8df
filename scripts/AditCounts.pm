# prove's ordinary output, a line a test program, closed by one line of counts: "N passed, N failed, N skipped".
package AditCounts;
use strict;
use warnings;
use parent 'TAP::Formatter::File';

sub summary {
    my ( $self, $all, @rest ) = @_;
    $self->SUPER::summary( $all, @rest );
    my $skipped = $all->skipped;
    my $failed  = $all->failed;
    for my $test ( $all->descriptions ) {    # a program that died or kept no plan is a failure
        my ($p) = $all->parsers($test);
        $failed++ if !$p->failed && ( $p->exit || $p->parse_errors );
    }
    printf "%d passed, %d failed, %d skipped\n", $all->passed - $skipped, $failed, $skipped;
    return;
}
1;
